import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './files.ts'

interface Written {
  toBuffer(): Promise<Buffer>
}

interface Pixels {
  readonly data: Uint8Array
  readonly info: { readonly width: number; readonly height: number }
}

/** What the tools need of it. */
interface Sharp {
  (input: Uint8Array): {
    png(options: object): Written
    resize(options: object): { jpeg(options: object): Written }
    removeAlpha(): {
      toColourspace(name: string): { raw(): { toBuffer(options: { resolveWithObject: true }): Promise<Pixels> } }
    }
  }
}

/** The server's own, loaded when it is needed: only a whole checkout has it. */
export const loadSharp = (): Sharp => createRequire(join(root, 'server', 'package.json'))('sharp') as Sharp
