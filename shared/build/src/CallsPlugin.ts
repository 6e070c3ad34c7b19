import { createRequire } from 'node:module'
import path from 'node:path'
import { toCallShape } from './callShapes.ts'
import { isEndpoint, type Endpoint } from '@dmp/contract/endpoint'
import webpack from 'webpack'
import { listTaken } from './taken.ts'

const name = 'Calls'
const packageName = '@dmp/contract'
const endpointModule = '@dmp/contract/endpoint'
const contractFolder = path.dirname(createRequire(import.meta.url).resolve('@dmp/contract/package.json')) + path.sep

/**
 * Writes `calls.json`: the calls of the contract that the part makes, each with its shape. A call is a value, so a part
 * makes only calls whose value it takes from the contract; one that hands a whole module of it on may make all of its
 * calls. A part makes no calls of its own: nobody could compare what is not listed with what the server answers.
 */
export class CallsPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
      compilation.hooks.processAssets.tapPromise({ name, stage }, async () => {
        const made = new Map<string, Endpoint>()
        for (const { request, ids, by } of listTaken(compilation, { packageName, folder: contractFolder })) {
          if (request === endpointModule && (ids[0] ?? 'endpoint') === 'endpoint') {
            compilation.errors.push(new webpack.WebpackError(sayOwnCall(path.relative(compiler.context, by))))
            continue
          }
          const value = take((await import(request)) as unknown, ids)
          for (const call of listCalls(value)) made.set(call.name, call)
        }
        const names = [...made.keys()].sort()
        const shapes = Object.fromEntries(names.map((call) => [call, toCallShape(made.get(call)!)]))
        compilation.emitAsset('calls.json', new webpack.sources.RawSource(`${JSON.stringify(shapes)}\n`))
      })
    })
  }
}

const sayOwnCall = (file: string): string =>
  `${file} makes a call of its own by endpoint() of ${endpointModule}. Calls live in the contract, where the server answers them: use one of ${packageName}, or ask the platform's team for this one.`

/** Follows names into a value, and stops at a call. */
function take(value: unknown, ids: readonly string[]): unknown {
  const [next, ...rest] = ids
  if (next === undefined || isEndpoint(value) || typeof value !== 'object' || value === null) return value
  return take((value as Readonly<Record<string, unknown>>)[next], rest)
}

/** A call, or those of a module and of the modules in it. */
function listCalls(value: unknown): Endpoint[] {
  if (isEndpoint(value)) return [value]
  if (Array.isArray(value)) return value.filter(isEndpoint)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner) =>
    isEndpoint(inner) ? [inner] : isModule(inner) ? listCalls(inner) : [],
  )
}

const isModule = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === 'Module'
