import { parseSync } from 'oxc-parser'
import federationEntryLoader from './federationEntryLoader.ts'

it('lets the checkout lie in a folder with an apostrophe in its name', () => {
  const file = "/home/o'neill/node_modules/@module-federation/webpack-bundler-runtime/dist/bundler.js"
  const entry = `import federation from '${file}';\nif(!federation){ throw new Error('none') }`
  const { errors, module } = parseSync('entry.js', federationEntryLoader(entry))
  expect(errors).toEqual([])
  expect(module.staticImports.map(({ moduleRequest }) => moduleRequest.value)).toEqual([file])
})
