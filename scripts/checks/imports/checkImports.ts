import { listFiles, root } from '../../workspace/files.ts'
import type { KeptAnswers } from '../keptAnswers.ts'
import { findForbiddenImports, type ImportRules } from './forbiddenImports.ts'

/** Packages in which dependency-cruiser looks. */
const places = /^(?:shared|host|remote-[^/]+|server|viewer|uploader|e2e|scripts)$/

export const listPlaces = (): string[] => [...new Set(listSources().map((file) => file.split('/')[0] ?? ''))]

const listSources = (): string[] =>
  listFiles('.', /\.(?:[cm]?[jt]s|tsx)$/).filter((file) => places.test(file.split('/')[0] ?? ''))

/**
 * Who may import whom. dependency-cruiser has the last word; where the quick look finds nothing, it is asked by whole
 * checks only, which also say where the two do not agree.
 *
 * @param askCruiser what dependency-cruiser says of these folders
 */
export async function checkImports(
  { isWhole }: KeptAnswers,
  askCruiser: (folders: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  const found = findForbiddenImports(root, listSources(), await readRules())
  if (found.length === 0 && !isWhole) return []
  const problems = await askCruiser(listPlaces())
  if (problems.length > 0 || !isWhole) return problems
  return found.map(
    ({ rule, from, to }) =>
      `${from} → ${to} breaks ${rule} for scripts/checks/imports and not for dependency-cruiser. Mend the former.`,
  )
}

export async function readRules(): Promise<ImportRules> {
  const { default: rules } = (await import('../../../.dependency-cruiser.mjs')) as unknown as { default: ImportRules }
  return rules
}
