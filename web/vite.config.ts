import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What is worth packing; fonts and pictures are packed already. */
const PACKED = /\.(js|css|html|svg)$/;

/** Leaves a packed copy beside each file, so that the server need not pack it for each reader. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    closeBundle() {
      for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
        if (!PACKED.test(file)) continue;
        const path = join('dist', file);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    // A picture inlined as `data:` would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [packed()],
  // `npx vite` while working on the pages; the API comes from a cluster that runs already.
  server: { proxy: { '/v1': 'http://127.0.0.1:7070' } },
  test: { include: ['src/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
