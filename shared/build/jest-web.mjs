import { fileURLToPath } from 'node:url'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Jest for what runs in the browser: TypeScript and JSX through SWC, jsdom with the platform's own fetch, antd's
 * CommonJS files.
 *
 * @example export default webJest(import.meta.url)
 * @param {string} configUrl where the calling jest.config.mjs is
 */
export const webJest = (configUrl) => ({
  rootDir: fileURLToPath(new URL('.', configUrl)),
  roots: ['<rootDir>/src'],
  testEnvironment: here('./jest/webEnvironment.mjs'),
  setupFilesAfterEnv: [here('./jest/webSetup.mjs')],
  transform: {
    '^.+\\.(?:[cm]?[jt]s|[jt]sx)$': [
      here('./jest/saidTexts.mjs'),
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Published as ES modules only.
  transformIgnorePatterns: [
    '/node_modules/(?!\\.pnpm/|ky/|qr/|intl-messageformat/|@formatjs/|@dmp/)',
    '/node_modules/\\.pnpm/(?!ky@|qr@|intl-messageformat@|@formatjs\\+|@dmp\\+)',
  ],
  moduleNameMapper: {
    '\\.css$': here('./jest/noStyle.cjs'),
    '^antd/es/(.*)$': 'antd/lib/$1',
    // The page takes the core alone, without worker and WebAssembly, which is published as ES modules only.
    '^@zip\\.js/zip\\.js/lib/zip-core-custom\\.js$': '@zip.js/zip.js',
    // Jest reads no 'browser' field; the package's main file is for Node.
    '^tus-js-client$': 'tus-js-client/lib.es5/browser/index.js',
  },
})
