/**
 * Words of the server: each `job 7` leads to that job, moments are told by the reader's clock, and
 * what stands between backticks is set apart as such.
 */
import { clock, millis } from '../../format';
import { jobLink } from '../../route';

const PARTS = /(\bjob \d+|\b\d{4}-\d\d-\d\dT[\d:.]+Z|`[^`]*`)/;

export function Counted({ text }: { text: string }) {
  return (
    <>
      {text.split(PARTS).map((part, index) => {
        if (index % 2 === 0) return part;
        if (part.startsWith('`')) return <b key={index}>{part.slice(1, -1)}</b>;
        if (!part.startsWith('job')) {
          return (
            <time key={index} dateTime={part} title={part}>
              {clock(millis(part), Date.now())}
            </time>
          );
        }
        return (
          <a key={index} class="within" href={jobLink(Number(part.slice(4)))}>
            {part}
          </a>
        );
      })}
    </>
  );
}
