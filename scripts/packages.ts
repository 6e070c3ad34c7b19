import { spawnSync } from 'node:child_process'
import { run } from './stage.ts'

/** Installs one of Debian's packages where there is apt-get; whoever asked looks whether it is there then. */
export async function fromPackages(name: string): Promise<void> {
  if (spawnSync('apt-get', ['--version']).status !== 0) return
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = async (...words: string[]) => {
    const [command = '', ...args] = [...asRoot, 'apt-get', '-q', '-y', ...words]
    return run(command, args, { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } })
  }
  await apt('update')
  await apt('install', '--no-install-recommends', name)
}
