import { utimesSync, mkdtempSync, cpSync, mkdirSync, writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './files.ts'

it('the demo makes the uploader again exactly where it is missing or older than its sources [2.41]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uploader-'))
  try {
    for (const name of ['src', 'locales', 'build.ts', 'signingKey.ts', 'targets.ts', 'package.json'])
      cpSync(join(root, 'uploader', name), join(folder, name), { recursive: true })
    const { staleUploaders } = (await import(join(folder, 'targets.ts'))) as { staleUploaders: () => string[] }
    expect(staleUploaders()).toEqual(['linux', 'windows', 'macos'])
    for (const [platform, program] of [
      ['linux', 'dmp-uploader'],
      ['windows', 'dmp-uploader.exe'],
      ['macos', 'dmp-uploader.tar.gz'],
    ] as const) {
      mkdirSync(join(folder, 'dist', platform), { recursive: true })
      writeFileSync(join(folder, 'dist', platform, program), '')
    }
    const later = new Date(Date.now() + 60_000)
    utimesSync(join(folder, 'dist/linux/dmp-uploader'), later, later)
    utimesSync(join(folder, 'dist/windows/dmp-uploader.exe'), new Date(0), new Date(0))
    expect(staleUploaders()).toEqual(['windows'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
