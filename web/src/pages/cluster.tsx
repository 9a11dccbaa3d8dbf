/** The cluster: every GPU on a map, the gangs that hold them, and the room that is left. */
import { useState } from 'preact/hooks';
import '../style/cluster.css';
import { map } from '../live/live';
import { MODES, type Mode } from '../map/colour';
import { Empty, Loading, Panel, Segmented } from '../parts/parts';
import { route, setQuery } from '../route';
import { Gangs } from './cluster/gangs';
import { Key } from './cluster/key';
import { Largest } from './cluster/largest';
import { MapView } from './cluster/map-view';
import { NodeTable } from './cluster/node-table';

export function ClusterPage() {
  const state = map.value;
  const { query } = route.value;
  const mode = (MODES.find(([mode]) => mode === query.get('by'))?.[0] ?? 'state') as Mode;
  const isTable = query.get('as') === 'table';
  const [pointed, setPointed] = useState<number | null>(null);
  const pinned = Number(query.get('job')) || null;
  const lit = pointed ?? pinned;
  return (
    <>
      <div class="head">
        <h1>Cluster</h1>
        <Segmented
          label="Colour by"
          options={MODES}
          value={mode}
          onChange={(by) => setQuery({ by: by === 'state' ? undefined : by })}
        />
        <Segmented
          label="Show as"
          options={[
            ['map', 'Map'],
            ['table', 'Table'],
          ]}
          value={isTable ? 'table' : 'map'}
          onChange={(as) => setQuery({ as: as === 'map' ? undefined : as })}
        />
        <span class="grow" />
        {pinned && (
          <button type="button" onClick={() => setQuery({ job: undefined })}>
            Job {pinned} is lit · show all
          </button>
        )}
      </div>
      {!state && <Loading what="the map" />}
      {state && state.nodes.length === 0 && (
        <Panel title="No nodes yet">
          <Empty title="No node has joined this cluster">
            Start an agent on a machine: <code>muster agent --server URL --join-file FILE</code>
          </Empty>
        </Panel>
      )}
      {state && state.nodes.length > 0 && (
        <div class="cluster">
          <div class="stack">
            {isTable ? (
              <NodeTable state={state} />
            ) : (
              <MapView state={state} mode={mode} lit={lit} onPoint={setPointed} />
            )}
            {!isTable && <Key state={state} mode={mode} />}
          </div>
          <div class="stack">
            <Largest state={state} />
            <Gangs state={state} mode={mode} pinned={pinned} onPoint={setPointed} />
          </div>
        </div>
      )}
    </>
  );
}
