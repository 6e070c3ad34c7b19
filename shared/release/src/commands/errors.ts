import type { ErrorGroup } from '@dmp/contract/releaseErrors'
import { StoreError } from '../store/ReleaseStore.ts'
import type { Command } from './command.ts'
import { formatTime } from './format.ts'

/** What pages tell lies in a deployment's database, and not in the store. */
export const errorsCommand: Command = {
  usage: 'errors   remote-scan',
  about: 'show the errors of the part on pages of a deployment (--to), with their places in its sources',
  run: () => Promise.reject(new StoreError('A deployment knows what pages tell. Name it: --to https://…')),
}

/** Groups of errors as people read them. */
export const formatErrors = (groups: readonly ErrorGroup[]): string =>
  groups.length === 0 ? 'No page told of an error in the last 30 days.' : groups.map(formatGroup).join('\n\n')

const formatGroup = ({ name, message, stack, reports, people, ...group }: ErrorGroup): string =>
  [
    `${name}: ${message}`,
    ...stack.map(({ file, line, column, name: what }) => `    at ${what ?? '?'} (${file}:${line}:${column})`),
    `  ${reports === 1 ? '1 report' : `${reports} reports`}, ${people === 1 ? '1 person' : `${people} people`} on one day at most, ${formatTime(group.firstDate)} to ${formatTime(group.lastDate)}`,
    `  releases: ${group.releases.map((of) => `${`${of.version} ${of.releaseId}`.trim()} (${of.reports})`).join(', ')}`,
    `  browsers: ${group.browsers.map((of) => `${of.name} (${of.reports})`).join(', ')}`,
  ].join('\n')
