/** What a change of the policy changes, value by value, before it is made. */

export type Difference = { path: string; before: string | null; after: string | null };

/** Every place at which two values differ, named by the way to it. */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      differences(before[name], after[name], path ? `${path}.${name}` : name),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return listDifferences(before, after, path);
  }
  return [{ path: path || 'all of it', before: text(before), after: text(after) }];
}

/** Lists of named things differ by name; others as a whole. */
function listDifferences(before: unknown[], after: unknown[], path: string): Difference[] {
  const named = [...before, ...after].every(
    (item) => isPlain(item) && typeof item.name === 'string',
  );
  if (!named) return [{ path, before: text(before), after: text(after) }];
  const name = (item: unknown) => (item as { name: string }).name;
  const old = new Map(before.map((item) => [name(item), item]));
  const fresh = new Map(after.map((item) => [name(item), item]));
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  const found = names.flatMap((key) =>
    differences(old.get(key), fresh.get(key), `${path}[${key}]`),
  );
  if (found.length > 0) return found;
  return [{ path, before: [...old.keys()].join(', '), after: [...fresh.keys()].join(', ') }];
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
