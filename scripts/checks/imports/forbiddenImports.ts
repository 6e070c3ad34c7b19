import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCircles, type IsInCircle } from './circles.ts'
import { listImports } from './listImports.ts'
import { ImportResolver, type Resolved } from './resolveImports.ts'

/** A rule of `.dependency-cruiser.mjs`, as far as this repository's rules go. */
export interface ImportRule {
  readonly name: string
  readonly from: { readonly path?: string; readonly pathNot?: string }
  readonly to: {
    readonly path?: string
    readonly pathNot?: string
    readonly circular?: boolean
    readonly viaOnly?: { readonly dependencyTypesNot: readonly string[] }
    readonly dynamic?: boolean
    readonly couldNotResolve?: boolean
    readonly dependencyTypes?: readonly string[]
  }
}

export interface ImportRules {
  readonly forbidden: readonly ImportRule[]
  readonly options: { readonly exclude: { readonly path: string } }
}

export interface ForbiddenImport {
  readonly rule: string
  readonly from: string
  readonly to: string
}

interface Edge extends Resolved {
  readonly from: string
  readonly isDynamic: boolean
  readonly isType: boolean
}

/** What is judged here; with any other word a rule needs dependency-cruiser itself. */
const words = new Set(['path', 'pathNot', 'circular', 'viaOnly', 'dynamic', 'couldNotResolve', 'dependencyTypes'])

/**
 * The imports that break a rule, in a tenth of the time that dependency-cruiser takes. What is found here is asked of
 * dependency-cruiser, which explains it; a whole check asks it in any case, so that CI says where the two do not agree.
 */
export function findForbiddenImports(
  checkout: string,
  files: readonly string[],
  { forbidden: rules, options }: ImportRules,
): ForbiddenImport[] {
  const resolver = new ImportResolver(checkout)
  const leftOut = new RegExp(options.exclude.path)
  const edges = files
    .flatMap((from) =>
      listImports(from, readFileSync(join(checkout, from), 'utf8')).map(({ name, ...how }): Edge => ({
        from,
        ...how,
        ...resolver.resolve(from, name),
      })),
    )
    .filter(({ to }) => !leftOut.test(to))
  const all = findCircles(toLinks(edges))
  const running = findCircles(toLinks(edges.filter(({ isType }) => !isType)))
  return rules.flatMap((rule) => {
    const isBroken = toJudge(rule, (viaOnly) => (viaOnly ? running : all))
    return edges.filter(isBroken).map(({ from, to }) => ({ rule: rule.name, from, to }))
  })
}

function toLinks(edges: readonly Edge[]): Map<string, string[]> {
  const links = new Map<string, string[]>()
  for (const { from, to } of edges) links.set(from, [...(links.get(from) ?? []), to])
  return links
}

function toJudge({ name, from, to }: ImportRule, circlesOf: (viaOnly: boolean) => IsInCircle): (edge: Edge) => boolean {
  const odd = [...Object.keys(from), ...Object.keys(to)].find((word) => !words.has(word))
  if (odd !== undefined) throw new Error(`The rule ${name} says "${odd}", which ${import.meta.filename} does not know.`)
  const { path = '', pathNot } = from
  const fromPath = new RegExp(path)
  const fromNot = pathNot === undefined ? undefined : new RegExp(pathNot)
  const isInCircle = circlesOf(to.viaOnly !== undefined)
  // Groups of the first path stand in the second: `^remote-$1/`.
  const fill = remember((pattern) => new RegExp(pattern))
  return (edge) => {
    const match = fromPath.exec(edge.from)
    if (!match || fromNot?.test(edge.from)) return false
    const toPattern = (text: string): RegExp =>
      fill(text.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''))
    return (
      (to.path === undefined || toPattern(to.path).test(edge.to)) &&
      (to.pathNot === undefined || !toPattern(to.pathNot).test(edge.to)) &&
      (to.dynamic === undefined || to.dynamic === edge.isDynamic) &&
      (to.couldNotResolve === undefined || to.couldNotResolve === (edge.kind === 'unknown')) &&
      (to.dependencyTypes === undefined || to.dependencyTypes.includes(edge.kind)) &&
      (to.circular === undefined || (isInCircle(edge.from, edge.to) && !(to.viaOnly && edge.isType)))
    )
  }
}

function remember<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}
