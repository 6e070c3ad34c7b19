import type webpack from 'webpack'
import { singletons, takenModules } from './singletons.ts'

/**
 * For a part with a React of its own: names at once what the page's React alone can draw. Otherwise the build would
 * take a second copy of it into the part, and pages would say "Invalid hook call".
 */
export class OwnReactPlugin {
  apply(compiler: webpack.Compiler): void {
    const taken = takenModules('own')
    const drawn = Object.keys(singletons).filter((module) => module.startsWith('@dmp/kit') && !taken.includes(module))
    compiler.hooks.normalModuleFactory.tap('OwnReact', (factory) => {
      factory.hooks.beforeResolve.tap('OwnReact', ({ request, contextInfo: { issuer } }) => {
        if (drawn.includes(request))
          throw new Error(
            `${issuer} takes ${request}, which the page's React draws, and this part has a React of its own. Leave it out, or take { react: 'own' } out of the build's configuration.`,
          )
      })
    })
  }
}
