import { escapeHtml } from '../../server/src/core/escapeHtml.ts'
import type { ChangedLook, ChangedPicture } from './changedLooks.ts'

interface PageFacts {
  /** What the last click did. */
  readonly done: string
  readonly hasReport: boolean
}

const kinds = [
  ['before', 'Accepted'],
  ['after', 'Now'],
  ['difference', 'Difference'],
] as const

/** The page of changed looks: per screen the pictures before and after, and a button that makes a commit. */
const style = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 90rem }
header, .head { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between }
section { border-block-start: 1px solid GrayText; padding-block: .5rem 1.5rem }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 1rem }
figure { margin: 0 }
img { max-inline-size: 100%; border: 1px solid GrayText }
button { font: inherit; padding: .35rem .9rem }
[role=status] { padding: .5rem .75rem; border: 1px solid GrayText }
`

const links =
  '<p><a href="report/index.html">All journeys of the last run</a> · <a href="report/clauses.html">by clause</a></p>'
const nothing = 'No look changed in the last run. Compare them with: <code>npm run e2e -- visual</code>'
const something = 'Accept a screen if its change is meant: its pictures become those of now, in a commit of their own.'

/** The page of changed looks: per screen the pictures before and after, and a button that makes a commit. */
export const formatLooksPage = (looks: readonly ChangedLook[], { done, hasReport }: PageFacts): string =>
  [
    '<!doctype html>',
    '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Changed looks</title><style>${style}</style>`,
    `<header><h1>Changed looks</h1>${hasReport ? links : ''}</header>`,
    done ? `<p role="status">${escapeHtml(done)}</p>` : '',
    `<p>${looks.length === 0 ? nothing : something}</p>`,
    ...looks.map(formatLook),
    '</html>',
  ].join('\n')

const formatLook = ({ screen, pictures }: ChangedLook): string =>
  [
    `<section aria-labelledby="${screen}"><div class="head"><h2 id="${screen}">${screen}</h2>`,
    `<form method="post" action="accept/${screen}"><button>Accept ${screen}</button></form></div>`,
    ...pictures.map(formatPicture),
    '</section>',
  ].join('\n')

function formatPicture(picture: ChangedPicture): string {
  const figures = kinds
    .filter(([kind]) => picture[kind] !== undefined)
    .map(([kind, label]) => {
      const address = `${kind}/${picture.name}.png`
      const image = `<img src="${address}" alt="${label}: ${picture.name}" loading="lazy">`
      return `<figure><figcaption>${label}</figcaption><a href="${address}">${image}</a></figure>`
    })
  return `<h3>${picture.name}</h3><div class="pictures">${figures.join('')}</div>`
}
