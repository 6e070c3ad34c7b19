import { copyFileSync, globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import { compressPictures } from './compressPictures.ts'

/** A screen of which pictures changed in the last run. */
export interface ChangedLook {
  /** `scan-detail` */
  readonly screen: string
  readonly pictures: readonly ChangedPicture[]
}

export interface ChangedPicture {
  /** `scan-detail-1280-light` */
  readonly name: string
  /** Files: the accepted picture, that of the run, and what is different between them. */
  readonly before: string
  readonly after: string
  readonly difference: string | undefined
}

export interface LookFolders {
  /** What the run wrote. */
  readonly results: string
  /** Accepted pictures. */
  readonly looks: string
}

export const lookFolders: LookFolders = {
  results: join(root, 'e2e', 'test-results'),
  looks: join(root, 'e2e', 'looks'),
}

/** What the last run of the looks found changed, screen by screen. An accepted picture is no longer among it. */
export function listChangedLooks({ results, looks }: LookFolders = lookFolders): ChangedLook[] {
  const pictures = globSync('**/*-actual.png', { cwd: results }).flatMap((found) => {
    const name = basename(found, '-actual.png')
    const after = join(results, found)
    const before = join(looks, `${name}.png`)
    const known = statSync(before, { throwIfNoEntry: false })
    // Accepted since: by a click, or by hand.
    if (!known || known.mtimeMs >= statSync(after).mtimeMs) return []
    const difference = after.replace(/-actual\.png$/, '-diff.png')
    return [{ name, before, after, difference: statSync(difference, { throwIfNoEntry: false }) && difference }]
  })
  return [...Map.groupBy(pictures, ({ name }) => name.replace(/-\d+(?:-(?:light|dark))?$/, ''))]
    .map(([screen, group]) => ({ screen, pictures: group.sort((a, b) => (a.name < b.name ? -1 : 1)) }))
    .sort((a, b) => (a.screen < b.screen ? -1 : 1))
}

/** Makes the pictures of a screen those of the last run, in a commit of their own. Returns the commit. */
export async function acceptLook(look: ChangedLook, { looks }: LookFolders = lookFolders, cwd = root): Promise<string> {
  const since = Date.now() - 1000
  for (const { before, after } of look.pictures) copyFileSync(after, before)
  await compressPictures(looks, since)
  const files = look.pictures.map(({ before }) => before)
  await git(cwd, ['add', '--', ...files])
  // Only these files, whatever else is staged.
  await git(cwd, ['commit', '-m', `Accept the look of ${look.screen}`, '-m', describe(look), '--only', '--', ...files])
  return git(cwd, ['rev-parse', '--short', 'HEAD'])
}

const describe = ({ pictures }: ChangedLook): string =>
  `Somebody compared ${pictures.length === 1 ? 'the picture' : `${pictures.length} pictures`} of the last run with the accepted ones, and meant the change:\n${pictures.map(({ name }) => `- ${name}`).join('\n')}`

async function git(cwd: string, args: string[]): Promise<string> {
  const { code, text } = await runProcess('git', args, { cwd, isQuiet: true })
  if (code !== 0) throw new Error(text.trim())
  return text.trim()
}
