import { unsaidModalities } from '@dmp/dicom/modalities'
import { formatDay } from '@dmp/kit/language'
import { thumbnailUrl } from '../dicomweb/client.ts'
import { mayBeSomebodyElse, relationOf, type Prior } from '../study/priors.ts'
import { hasPictures, seriesTitle, type SeriesEntry } from '../study/series.ts'
import type { Subject } from '../study/subject.ts'
import { element, setAttribute, setText } from './element.ts'
import { studyGroups, studyText } from './studyGroups.ts'
import type { Workspace } from './Workspace.ts'

const seriesLabel = () => 'Series'
const otherStudiesTitle = () => 'Other studies'
const otherStudiesText = (count: number): string => (count === 1 ? '1 other study' : `${count} other studies`)

/**
 * The series of the study, each with a small picture, and the patient's other studies once they are found; only there
 * when there is something to choose.
 */
export function seriesList(workspace: Workspace): HTMLElement {
  const { study } = workspace
  const buttons = new Map<SeriesEntry, HTMLButtonElement>()
  const listOf = (entries: readonly SeriesEntry[]): HTMLElement =>
    element(
      'ul',
      {},
      ...entries.map((entry) => {
        const button = seriesButton(entry, studyText(study, entry), () => workspace.open(entry))
        buttons.set(entry, button)
        return element('li', {}, button)
      }),
    )
  const priors = priorSection(workspace, listOf)
  const nav = element(
    'nav',
    { class: 'series', 'aria-label': seriesLabel() },
    priors.way,
    study.studyUids.length > 1 ? studyGroups(study, listOf) : listOf(study.entries),
    priors.root,
  )
  const refresh = () => {
    priors.refresh()
    nav.hidden = study.entries.length < 2 && workspace.layout === 1 && study.priors.length === 0
    const openUids = workspace.shownUids
    for (const [entry, button] of buttons) {
      setAttribute(button, 'aria-current', entry.uid === workspace.active.seriesUid ? 'true' : undefined)
      button.classList.toggle('on-screen', openUids.includes(entry.uid))
    }
  }
  // Until the first pane is there.
  nav.hidden = study.entries.length < 2
  workspace.onChange(refresh)
  return nav
}

/** The patient's other studies: pressing one opens it beside, and lists its series below it. */
function priorSection(workspace: Workspace, listOf: (entries: readonly SeriesEntry[]) => HTMLElement) {
  const { study } = workspace
  const list = element('ul')
  const root = element('section', { class: 'priors', hidden: true }, element('h2', {}, otherStudiesTitle()), list)
  // In a narrow window they stand beyond the last series.
  const way = element('button', { type: 'button', class: 'series-button to-priors', hidden: true })
  way.addEventListener('click', () => {
    root.scrollIntoView({ inline: 'start', block: 'nearest' })
    list.querySelector('button')?.focus({ preventScroll: true })
  })
  let shown: readonly Prior[] = []
  const items = new Map<Prior, { item: HTMLElement; button: HTMLElement; failure: HTMLElement }>()
  const write = () => {
    shown = study.priors
    root.hidden = way.hidden = shown.length === 0
    setText(way, otherStudiesText(shown.length))
    const subject = study.subjectOf(study.ownUid)
    list.replaceChildren(
      ...shown.map((prior) => {
        const button = priorButton(prior, subject, () => void workspace.compare(prior))
        const failure = element('p', { class: 'prior-failure', role: 'alert', hidden: true })
        const item = element('li', {}, button, failure)
        items.set(prior, { item, button, failure })
        return item
      }),
    )
    if (study.morePriors) list.after(moreLink(study.morePriors.count, study.morePriors.patientPage))
  }
  const refresh = () => {
    if (shown !== study.priors) write()
    for (const [prior, { item, button, failure }] of items) {
      const entries = study.entriesOf(prior)
      setAttribute(button, 'aria-expanded', entries !== undefined)
      if (entries && item.lastElementChild === failure) item.append(listOf(entries))
      const failed = workspace.failedPriors.get(prior)
      failure.hidden = failed === undefined
      setText(failure, failed?.message ?? '')
    }
  }
  return { root, way, refresh }
}

const moreText = (count: number): string =>
  count === 1 ? '1 more study on the patient’s page' : `${count} more studies on the patient’s page`

/** In a tab of its own: the pictures stay. */
const moreLink = (count: number, patientPage: string): HTMLElement =>
  element('a', { class: 'more-priors', href: patientPage, target: '_blank', rel: 'noopener' }, moreText(count))

const elseText = () => 'Other name, birth date or sex'

function priorButton(prior: Prior, subject: Subject | undefined, open: () => void): HTMLButtonElement {
  const { studyUID, studyDate, description, modalities, pictureSeriesUID } = prior
  const modality = modalities.join(', ')
  const relation = relationOf(studyDate, subject?.studyDate)
  const facts = [unsaidModalities(modalities, description), description].filter(Boolean).join(' · ')
  const isElse = subject !== undefined && mayBeSomebodyElse(prior, subject)
  const button = element(
    'button',
    { type: 'button', class: 'series-button' },
    element(
      'span',
      { class: 'thumbnail', 'data-modality': modality },
      pictureSeriesUID === null ? undefined : thumbnail(studyUID, pictureSeriesUID),
    ),
    element('span', { class: 'series-title' }, studyDate === null ? relation : formatDay(studyDate)),
    element('span', { class: 'series-facts' }, element('bdi', {}, facts)),
    studyDate === null ? undefined : element('span', { class: 'series-facts' }, relation),
    isElse ? element('span', { class: 'series-warning' }, elseText()) : undefined,
  )
  button.addEventListener('click', open)
  return button
}

function seriesButton(entry: SeriesEntry, ofStudy: string, open: () => void): HTMLButtonElement {
  const { modality, instanceCount } = entry
  const frame = element(
    'span',
    { class: 'thumbnail', 'data-modality': modality },
    hasPictures(entry) ? thumbnail(entry.studyUid, entry.uid) : undefined,
  )
  const facts = [
    modality,
    instanceCount === undefined ? '' : hasPictures(entry) ? imagesText(instanceCount) : documentsText(instanceCount),
  ].filter(Boolean)
  const button = element(
    'button',
    { type: 'button', class: 'series-button' },
    frame,
    element('span', { class: 'series-title' }, element('bdi', {}, seriesTitle(entry))),
    element('span', { class: 'series-facts' }, facts.join(' · ')),
    // Its heading says it to eyes; two series of one name are heard apart by it.
    ofStudy === '' ? undefined : element('span', { class: 'unseen' }, ` · ${ofStudy}`),
  )
  button.addEventListener('click', open)
  return button
}

function thumbnail(studyUid: string, seriesUid: string): HTMLImageElement {
  const picture = element('img', {
    src: thumbnailUrl(studyUid, seriesUid),
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
