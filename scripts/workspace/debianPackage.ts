import { spawnSync } from 'node:child_process'
import { runProcess } from './runProcess.ts'

/** Installs one of Debian's packages where there is apt-get; whoever asked looks whether it is there then. */
export async function installDebianPackage(name: string): Promise<void> {
  if (spawnSync('apt-get', ['--version']).status !== 0) return
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = async (...words: string[]) => {
    const [command = '', ...args] = [...asRoot, 'apt-get', '-q', '-y', ...words]
    return runProcess(command, args, { isQuiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } })
  }
  await apt('update')
  await apt('install', '--no-install-recommends', name)
}
