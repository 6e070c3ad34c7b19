import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

/**
 * Whether this machine can be given faults: file systems of a few megabytes, a PostgreSQL that is stopped, one behind a
 * pooler, and servers behind a balancer.
 */
export function examineMachine(): { readonly lacks: string | undefined } {
  if (process.getuid?.() !== 0) return { lacks: 'mounting a small file system needs root' }
  const mount = ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/tmp']
  if (spawnSync('unshare', mount).status !== 0)
    return { lacks: 'this machine refuses to mount a small file system (a container needs CAP_SYS_ADMIN)' }
  if (globSync('/usr/lib/postgresql/*/bin/initdb').length === 0)
    return { lacks: 'the programs of PostgreSQL are not installed' }
  if (!existsSync('/usr/sbin/pgbouncer')) return { lacks: 'PgBouncer is not installed' }
  if (!existsSync('/usr/sbin/haproxy')) return { lacks: 'HAProxy is not installed' }
  return { lacks: undefined }
}
