/** The map as a table, for those who would rather read or hear it. */
import { gpus } from '../../format';
import { freeGpus, type MapState } from '../../map/state';
import { Panel } from '../../parts/parts';
import { jobLink, nodeLink } from '../../route';

export function NodeTable({ state }: { state: MapState }) {
  return (
    <Panel title="Nodes" note="the same as on the map">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>node</th>
              {state.levels.map((level) => (
                <th key={level}>{level}</th>
              ))}
              <th>state</th>
              <th class="right">GPUs</th>
              <th class="right">free</th>
              <th>jobs</th>
            </tr>
          </thead>
          <tbody>
            {state.nodes.map((node) => {
              const byJob = new Map<number, number>();
              for (const held of node.held) {
                byJob.set(held.job, (byJob.get(held.job) ?? 0) + held.milli);
              }
              return (
                <tr key={node.name}>
                  <td class="nowrap">
                    <a href={nodeLink(node.name)}>{node.name}</a>
                  </td>
                  {state.levels.map((level, index) => (
                    <td key={level} class="nowrap">
                      {node.domains[index] ?? '–'}
                    </td>
                  ))}
                  <td class="nowrap">
                    {node.drained ? 'drained' : node.state === 'up' ? 'up' : 'not seen'}
                    {node.unhealthy.length > 0 && `, ${node.unhealthy.length} unhealthy`}
                  </td>
                  <td class="right">{node.gpus}</td>
                  <td class="right">{freeGpus(node)}</td>
                  <td class="holders">
                    {[...byJob].map(([id, milli], index) => (
                      <span key={id}>
                        {index > 0 && ' '}
                        <span class="nowrap">
                          <a href={jobLink(id)}>
                            {id} {state.jobs.get(id)?.name}
                          </a>{' '}
                          <span class="quiet">{gpus(milli)}</span>
                          {index + 1 < byJob.size && ','}
                        </span>
                      </span>
                    ))}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
