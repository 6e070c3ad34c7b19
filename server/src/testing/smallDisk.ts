import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SmallDisk {
  /** Fills it until so many megabytes are free; with none given, what filled it goes away. */
  leave(freeMegabytes?: number): void
  close(): void
}

/**
 * A real file system of a few megabytes at an existing folder. Mounting needs root, or a user namespace: `npm test`
 * runs such tests (`*.machine.test.ts`) in a mount namespace of their own, and says so where the machine allows
 * neither.
 */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    leave: (freeMegabytes) => {
      rmSync(filler, { force: true })
      if (freeMegabytes === undefined) return
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeMegabytes * 2 ** 20)))
    },
    close: () => void execFileSync('umount', ['-l', folder]),
  }
}
