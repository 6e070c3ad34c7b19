import path from 'node:path'
import { readJsonFile } from '@dmp/build/BuildRecordPlugin'
import { Declaration, isUnder } from '@dmp/contract/remote'
import * as v from 'valibot'

/** What is wrong with the declaration of a part, each in a sentence; empty where it is fine. */
export function findDeclarationProblems(folder: string, name: string): string[] {
  let declared: unknown
  try {
    declared = readJsonFile(path.join(folder, 'remote.json'))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  const result = v.safeParse(Declaration, declared)
  if (!result.success)
    return result.issues.map((issue) => `remote.json: ${v.getDotPath(issue) ?? 'the whole'}: ${toSentence(issue)}`)
  const { output } = result
  return [
    ...(output.name === name ? [] : [`remote.json names ${output.name}, but its folder is ${name}. Use one name.`]),
    ...findLostLinks(output),
  ]
}

/** Links of the shell to addresses that no route of the part covers: whoever follows one meets "not found". */
function findLostLinks({ routes, navigation, commands = [] }: Declaration): string[] {
  const links = [
    ...navigation.map(({ routerLink }, index) => ({ place: `navigation.${index}`, routerLink })),
    ...commands.map(({ routerLink }, index) => ({ place: `commands.${index}`, routerLink })),
  ]
  return links
    .filter(({ routerLink }) => !routes.some(({ prefix }) => isUnder(routerLink, prefix)))
    .map(
      ({ place, routerLink }) =>
        `remote.json: ${place}.routerLink: ${routerLink} is under none of its routes (${routes.map(({ prefix }) => prefix).join(', ')}). Correct it, or add the route.`,
    )
}

/** A property that nobody knows is mostly a misspelt one. */
function toSentence(issue: v.InferIssue<typeof Declaration>): string {
  const key = issue.type === 'strict_object' && issue.expected === 'never' ? issue.path?.at(-1)?.key : undefined
  if (typeof key !== 'string') return issue.message
  const known = listKnown(issue.path?.slice(0, -1) ?? [])
  const meant = known.map((word) => ({ word, steps: countSteps(word, key) })).sort((a, b) => a.steps - b.steps)[0]
  return meant !== undefined && meant.steps <= 2
    ? `Nothing is called ${key}. Did you mean ${meant.word}?`
    : `Nothing is called ${key}. Take it out${known.length === 0 ? '' : `; known are ${known.join(', ')}`}.`
}

interface Schema {
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly wrapped?: Schema
}

/** The properties of the object at a place of the declaration. */
function listKnown(place: readonly { readonly key?: unknown }[]): string[] {
  let schema: Schema | undefined = Declaration as unknown as Schema
  for (const { key } of place) {
    const open: Schema | undefined = schema?.wrapped ?? schema
    schema = typeof key === 'number' ? open?.item : open?.entries?.[String(key)]
  }
  return Object.keys((schema?.wrapped ?? schema)?.entries ?? {})
}

/** How many letters are to be put in, taken out or changed (Levenshtein); names are short. */
function countSteps(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, wanted] of [...other].entries())
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === wanted ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
