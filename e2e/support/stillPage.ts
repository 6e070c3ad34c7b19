import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const font = (weight: number) =>
  readFileSync(
    createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`),
  ).toString('base64')
const fontFace = (weight: number): string =>
  `@font-face{font-family:Look;font-weight:${weight};src:url(data:font/woff2;base64,${font(weight)})}`

/**
 * A style: one font for every machine, nothing that moves or blinks. It is not the product's own: a test that adds it
 * does so with `bypassCSP`.
 */
export const stillStyle = `${[400, 600, 700].map(fontFace).join('')}
*,*::before,*::after{font-family:Look!important;
transition:none!important;animation:none!important;caret-color:transparent!important}`

/** For the page: fonts and the pictures in sight are there, decoded. */
export async function untilDrawn(): Promise<void> {
  // A page laid out for another width has its pictures in the next frame only.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  await document.fonts.ready
  const inSight = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
  await Promise.all(inSight.map((image) => image.decode().catch(() => undefined)))
}
