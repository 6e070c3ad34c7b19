import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { colours } from '../../shared/kit/src/ui/colours.ts'
import { root } from '../workspace/files.ts'

const [light = '', dark = ''] = readFileSync(join(root, 'shared/kit/src/ui/ui.css'), 'utf8').split(
  "[data-theme='dark']",
)
const sheets = { light, dark }

it.each(['light', 'dark'] as const)('dialogs and style sheets have the same colours, %s', (mode) => {
  const { border, pointed, onDanger, dangerControl, dangerHover, placeholder: _, tints, ...same } = colours[mode]
  const expected = {
    ...same,
    'control-border': border,
    'primary-hover': pointed,
    'on-danger': onDanger,
    'danger-control': dangerControl,
    'danger-hover': dangerHover,
    ...Object.fromEntries(Object.entries(tints).map(([name, [tint]]) => [`${name}-tint`, tint])),
    ...Object.fromEntries(Object.entries(tints).map(([name, [, edge]]) => [`${name}-edge`, edge])),
  }
  const said = (name: string) => new RegExp(`--dmp-${name}: ([^;]+);`).exec(sheets[mode])?.[1]
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, said(name)]))).toEqual(expected)
})
