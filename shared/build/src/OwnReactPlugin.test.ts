import { buildWith } from './buildInTests.ts'
import { OwnReactPlugin } from './OwnReactPlugin.ts'

const buildOf = (module: string) =>
  buildWith(new OwnReactPlugin(), 'main.js', `import { x } from '${module}'\nconsole.log(x)`)

it.each(['@dmp/kit/ui', '@dmp/kit/screen', '@dmp/kit/form', '@dmp/kit/table'])(
  'a part with a React of its own that takes %s is not built, and told why',
  async (module) => {
    await expect(buildOf(module)).rejects.toThrow(new RegExp(`main\\.js takes ${module}, which the page's React draws`))
  },
)

it.each(['@dmp/kit', '@dmp/kit/router', '@dmp/contract'])('it may take %s', async (module) => {
  // What was written is a script, and no JSON: it was built.
  await expect(buildOf(module)).rejects.toThrow(SyntaxError)
})
