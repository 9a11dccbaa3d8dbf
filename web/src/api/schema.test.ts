import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('is what the description of the API says; `npm run schema` makes it anew', () => {
  const arguments_ = ['openapi-typescript', '../docs/openapi.json', '--export-type'];
  const fresh = execFileSync('npx', ['--no-install', ...arguments_], { encoding: 'utf8' });
  const kept = readFileSync('src/api/schema.ts', 'utf8');
  // Not compared by the test itself: it would print thousands of lines.
  expect(fresh.trim() === kept.trim(), 'src/api/schema.ts has fallen behind').toBe(true);
}, 60_000);
