import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../workspace/files.ts'
import { loadSharp } from '../workspace/sharp.ts'

/**
 * The pictures of screens have few colours: a palette makes them a third as large. Only those written since the instant
 * are touched.
 */
export async function compressPictures(folder: string, since: number): Promise<void> {
  const sharp = loadSharp()
  for (const name of readdirSync(resolve(root, folder)).filter((file) => file.endsWith('.png'))) {
    const file = join(resolve(root, folder), name)
    if (statSync(file).mtimeMs < since) continue
    const small = await sharp(readFileSync(file))
      .png({ palette: true, colours: 96, dither: 0, effort: 7, compressionLevel: 9 })
      .toBuffer()
    if (small.length < statSync(file).size) writeFileSync(file, small)
  }
}
