import { spawnSync } from 'node:child_process'
import { runProcess } from './runProcess.ts'

/** Installs some of Debian's packages where there is apt-get; the caller checks whether that succeeded. */
export async function installDebianPackage(...names: readonly string[]): Promise<void> {
  if (spawnSync('apt-get', ['--version']).status !== 0) return
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = async (...aptArgs: string[]) => {
    const [command = '', ...args] = [...asRoot, 'apt-get', '-q', '-y', ...aptArgs]
    return runProcess(command, args, { isQuiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } })
  }
  await apt('update')
  await apt('install', '--no-install-recommends', ...names)
}
