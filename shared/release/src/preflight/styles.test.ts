import { publish } from '../publish.ts'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { aBuild, aStore } from '../testing/aBuild.ts'
import { findReachingStyle } from './styles.ts'

async function judge(css: string): Promise<string | undefined> {
  const [store, build] = [aStore(), aBuild('remote-scan', 'one')]
  writeFileSync(path.join(build, 'App.css'), css)
  return (await findReachingStyle(store, await publish(store, build, { commit: 'abc' })))?.selector
}

describe('a style of a part', () => {
  it.each([
    ['a class of its own', '.scan-list > li{gap:8px}'],
    ['what stands in it, of the kit’s as well', '.scan-list .dmp-table td,.scan-list h2{margin:0}'],
    ['a theme of the page', ":root[data-theme='dark'] .scan-list{color:#fff}"],
    [
      'widths, layers and what browsers can',
      '@media (width>9px){@supports (gap:1px){@layer scan{.scan-list{gap:1px}}}}',
    ],
    ['what is nested in its own', '.scan-list{& > li{gap:1px} :hover{color:red} @media print{p{margin:0}}}'],
    ['frames, which select nothing', '@keyframes scan-turn{from{opacity:0}50%{opacity:1}}'],
    ['a selector in a text or a comment', '.scan-list::before{content:"*{}"}/* body{display:none} */'],
  ])('is for %s', async (_what, css) => {
    expect(await judge(css)).toBeUndefined()
  })

  it.each([
    ['everybody', '*{display:none}', '*'],
    ['the page', 'body{margin:0}', 'body'],
    ['the page by a class of its own', 'html.scan-open{overflow:hidden}', 'html.scan-open'],
    ['the root’s values', ':root{--dmp-border:red}', ':root'],
    ['the shell', '.scan-list,.dmp-side{display:none}', '.dmp-side'],
    ['a library of the kit', '.ant-modal{display:none}', '.ant-modal'],
    ['elements of any part', "@container (max-width:9px){[data-column='born']{display:none}}", '[data-column=""]'],
    ['what has its class inside', 'main:has(.scan-list, p){display:none}', 'main:has(.scan-list, p)'],
    ['what lacks its class', 'nav:not(.scan-list){display:none}', 'nav:not(.scan-list)'],
    ['the shell behind a text', '.scan-list::before{content:"}"}nav{display:none}', 'nav'],
  ])('is refused that is for %s', async (_what, css, selector) => {
    expect(await judge(css)).toBe(selector)
  })
})
