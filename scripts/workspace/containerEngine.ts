import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A podman with images and containers of its own below a folder, so that it touches nothing of this machine's. */
export interface EnginePlace {
  /** Before each of podman's commands. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export function placeEngine(work: string): EnginePlace {
  const configuration = join(work, 'containers.conf')
  // Where this machine is a container itself, containers may not raise these.
  writeFileSync(
    configuration,
    '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=2048:2048"]\n[engine]\nruntime = "runc"\n',
  )
  return {
    args: [
      `--root=${join(work, 'storage')}`,
      `--runroot=${join(work, 'run')}`,
      '--cgroup-manager=cgroupfs',
      '--storage-driver=overlay',
    ],
    env: { CONTAINERS_CONF: configuration },
  }
}

/** Lets go of what the engine mounted, and removes its folder. */
export function removeEngine(work: string): void {
  spawnSync('umount', ['-l', join(work, 'storage/overlay')], { stdio: 'ignore' })
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Whether containers can be started here, with the programs that Debian has for it: one is. */
export function examineEngine(): { readonly lacks: string | undefined } {
  const missing = ['podman', 'runc', 'docker-compose', 'iptables'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length > 0) return { lacks: `not installed: ${missing.join(', ')}` }
  if (process.getuid?.() !== 0) return { lacks: 'images are made of files of this machine by root' }
  const work = mkdtempSync(join(tmpdir(), 'dmp-engine-'))
  try {
    const { args, env } = placeEngine(work)
    const { status, stderr } = spawnSync('podman', [...args, 'run', '--rm', '--rootfs', '/:O', 'true'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    return {
      lacks: status === 0 ? undefined : `podman cannot start a container here: ${stderr.trim().split('\n').at(-1)}`,
    }
  } finally {
    removeEngine(work)
  }
}
