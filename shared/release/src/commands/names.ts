import { listReleaseRefs } from '../move.ts'
import { findDeprecatedNames, knownDeprecatedNames } from '../preflight/names.ts'
import { readRelease } from '../store/ReleaseStore.ts'
import { getLive, type Command } from './command.ts'
import { formatTable } from './format.ts'

export const namesCommand: Command = {
  usage: 'names',
  about: 'show which live releases and canaries still take names of contract and kit that are deprecated',
  run: async ({ store }) => {
    const { registry, live } = await getLive(store)
    const refs = [...listReleaseRefs(live), ...(registry.canaries ?? [])]
    const uses = await Promise.all(
      refs.map(async ({ name, releaseId }) => ({
        name,
        releaseId,
        taken: await findDeprecatedNames(store, await readRelease(store, name, releaseId)),
      })),
    )
    const names = knownDeprecatedNames.map(({ name, says }) => ({
      name,
      says,
      usedBy: uses
        .filter(({ taken }) => taken?.some((one) => one.name === name))
        .map(({ name: part, releaseId }) => ({ name: part, releaseId })),
    }))
    const silent = uses.filter(({ taken }) => taken === undefined).map(({ name, releaseId }) => ({ name, releaseId }))
    const format = (all: readonly { name: string; releaseId: string }[]): string =>
      all.map(({ name, releaseId }) => `${name} ${releaseId}`).join(', ')
    return {
      json: { names, silent },
      text: [
        formatTable(
          ['NAME', 'RELEASES', 'USED BY', 'DEPRECATED'],
          names.map(({ name, says, usedBy }) => [name, String(usedBy.length), format(usedBy) || '–', says]),
        ),
        ...(silent.length === 0 ? [] : ['', `Do not say which names they take: ${format(silent)}`]),
      ].join('\n'),
    }
  },
}
