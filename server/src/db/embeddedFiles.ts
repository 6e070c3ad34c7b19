import { fsyncSync, mkdirSync } from 'node:fs'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface Stream {
  readonly nfd?: number
}
interface Attributes {
  readonly mode?: number
}
interface EmscriptenModule {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: Stream) => number }
    readonly node_ops: { setattr: (node: object, attributes: Attributes) => void }
  }
}

/**
 * PGlite's files on disk with a real fsync. Without it a commit that was answered may be lost when the machine stops:
 * PGlite starts PostgreSQL with -F, and its file system ignores fsync even without (`durable.test.ts` counts them).
 */
export class DurableFiles extends NodeFS {
  /** How often PostgreSQL asked for durability and got it. */
  syncs = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    super(folder)
  }

  override async init(...[instance, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(instance, options)
    const preRun = emscriptenOpts.preRun
    const steps = Array.isArray(preRun) ? preRun : preRun ? [preRun] : []
    const makeDurable = (module: unknown): void => {
      const { stream_ops, node_ops } = (module as EmscriptenModule).NODEFS
      // Emscripten sets the mode of each new file to 0666 past the umask; the files are the server's alone.
      const { setattr } = node_ops
      node_ops.setattr = (node, attributes) =>
        setattr(node, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~0o077 })
      stream_ops.fsync = (stream) => {
        if (stream.nfd === undefined) return 0
        fsyncSync(stream.nfd)
        this.syncs += 1
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...steps, makeDurable] } }
  }
}

/** PGlite's own start parameters (0.5.16) without -F, which switches fsync off. */
export const durableStart = [
  '--single',
  '-O',
  '-j',
  ...[
    'search_path=public',
    'exit_on_error=false',
    'log_checkpoints=false',
    'max_worker_processes=0',
    'max_parallel_workers=0',
    'max_parallel_workers_per_gather=0',
    'io_method=sync',
    'max_parallel_maintenance_workers=0',
    'fsync=on',
    // Of 128 MB the process keeps what was ever touched, and reads no quicker: the system has the files in memory.
    'shared_buffers=32MB',
    // Kept segments of the log are room that a small disk does not have.
    'min_wal_size=32MB',
    'wal_sync_method=fsync',
  ].flatMap((setting) => ['-c', setting]),
]

/** The features that migrations expect of the embedded database, as of PostgreSQL. */
export const extensions = { pg_trgm, btree_gin }
