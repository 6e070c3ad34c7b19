import { thumbnailUrl } from '../dicomweb/client.ts'
import { hasPictures, seriesTitle, type SeriesEntry } from '../study/series.ts'
import { element, setAttribute } from './element.ts'
import type { Workspace } from './Workspace.ts'

/** The series of the study, each with a small picture; only there when there is a choice. */
export function seriesList(workspace: Workspace): HTMLElement | undefined {
  const { entries } = workspace.study
  if (entries.length < 2) return undefined
  const buttons = entries.map((entry) => ({ entry, button: seriesButton(entry, () => workspace.open(entry)) }))
  const list = element('ul', {}, ...buttons.map(({ button }) => element('li', {}, button)))
  const refresh = () => {
    const openUids = workspace.shownUids
    for (const { entry, button } of buttons) {
      setAttribute(button, 'aria-current', entry.uid === workspace.active.seriesUid ? 'true' : undefined)
      button.classList.toggle('on-screen', openUids.includes(entry.uid))
    }
  }
  workspace.onChange(refresh)
  return element('nav', { class: 'series', 'aria-label': 'Series' }, list)
}

function seriesButton(entry: SeriesEntry, open: () => void): HTMLButtonElement {
  const { modality, instanceCount } = entry
  const frame = element(
    'span',
    { class: 'thumbnail', 'data-modality': modality },
    hasPictures(entry) ? thumbnail(entry) : undefined,
  )
  const facts = [
    modality,
    instanceCount === undefined ? '' : hasPictures(entry) ? imagesText(instanceCount) : documentsText(instanceCount),
  ].filter(Boolean)
  const button = element(
    'button',
    { type: 'button', class: 'series-button' },
    frame,
    element('span', { class: 'series-title' }, seriesTitle(entry)),
    element('span', { class: 'series-facts' }, facts.join(' · ')),
  )
  button.addEventListener('click', open)
  return button
}

function thumbnail(entry: SeriesEntry): HTMLImageElement {
  const picture = element('img', {
    src: thumbnailUrl(entry.studyUid, entry.uid),
    alt: '',
    loading: 'lazy',
    decoding: 'async',
    width: 96,
    height: 96,
  })
  // A store may have made none: the modality stands in its place.
  picture.addEventListener('error', () => picture.remove())
  return picture
}

const imagesText = (count: number): string => (count === 1 ? '1 image' : `${count} images`)
const documentsText = (count: number): string => (count === 1 ? '1 document' : `${count} documents`)
