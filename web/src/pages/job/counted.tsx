/** Words of the server in which each `job 7` leads to that job. */
import { jobLink } from '../../route';

export function Counted({ text }: { text: string }) {
  const parts = text.split(/(\bjob \d+)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} class="within" href={jobLink(Number(part.slice(4)))}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
