import { toPublished, toPublishedTypes } from './packages.ts'

describe('the package.json of a packed package', () => {
  const manifest = {
    name: '@dmp/kit',
    version: '1.3.0',
    private: true,
    exports: { '.': './src/index.ts', './testing': './src/testing/index.tsx', './jest': './jest-web.mjs' },
    dependencies: { '@dmp/contract': 'workspace:*', antd: '6.6.8' },
  }

  it('names JavaScript and types in place of TypeScript, and versions in place of the workspace', () => {
    expect(toPublished(manifest, { '@dmp/contract': '1.2.0' })).toMatchObject({
      name: '@dmp/kit',
      version: '1.3.0',
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './testing': { types: './dist/testing/index.d.ts', default: './dist/testing/index.js' },
        './jest': './jest-web.mjs',
      },
      dependencies: { '@dmp/contract': '1.2.0', antd: '6.6.8' },
    })
  })

  it('is not private, or nobody could publish it on', () => {
    expect(toPublished(manifest, {})).not.toHaveProperty('private')
  })
})

it('types name the files that are published, and no styles', () => {
  const text = [
    "import './table.css';",
    "import type { A } from './a.ts';",
    "export * from '../b/index.tsx';",
    "export declare const lazy: () => Promise<typeof import('./c.tsx')>;",
    "import { useState } from 'react';",
  ].join('\n')
  expect(toPublishedTypes(text).split('\n')).toEqual([
    "import type { A } from './a.js';",
    "export * from '../b/index.js';",
    "export declare const lazy: () => Promise<typeof import('./c.js')>;",
    "import { useState } from 'react';",
  ])
})
