// The page of the uploader's window: asks once a second how things are, and draws what is different.
import { connectChooser } from './chooser.mjs'
import { createConnection } from './connection.mjs'
import { connectCopies } from './copies.mjs'
import { connectDrop } from './drop.mjs'
import { createFailures } from './failures.mjs'
import { createDevices } from './gateway.mjs'
import { toPace, toSeriesState, toStateName } from './states.mjs'

const byId = (id) => document.getElementById(id)
const { texts, reasons, catalogues } = await (await fetch('/texts.json')).json()
const names = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ja: '日本語', ar: 'العربية' }
const chosen = localStorage.getItem('language')
const language =
  [chosen, ...navigator.languages.map((each) => each.slice(0, 2))].find((each) => each && each in names) ?? 'en'
const say = (name, values = {}) =>
  (catalogues[language]?.[texts[name]] || texts[name]).replaceAll(/\{(\w+)\}/g, (_all, key) => values[key] ?? '')

document.documentElement.lang = language
document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
document.title = say('title')
for (const element of document.querySelectorAll('[data-text]')) element.textContent = say(element.dataset.text)
byId('progress').setAttribute('aria-label', say('progress'))
for (const [code, name] of Object.entries(names)) {
  const option = new Option(name, code, code === language, code === language)
  option.lang = code
  byId('language').append(option)
}
byId('language').addEventListener('change', ({ target }) => {
  localStorage.setItem('language', target.value)
  location.reload()
})

const numbers = new Intl.NumberFormat(language === 'ar' ? 'ar-u-nu-latn' : language)
const size = (bytes) => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `\u2068${numbers.format(value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value))} ${units[power]}\u2069`
}
const formatTime = (at, how) =>
  new Date(at).toLocaleString(language === 'ar' ? 'ar-u-ca-gregory-nu-latn' : language, how)
const create = (tag, content, more = {}) => {
  const element = Object.assign(document.createElement(tag), more)
  element.append(...[content].flat())
  return element
}
/** In the language of the page; what it has no words for stays as it was said. */
const toReason = ({ code, reason }) => (language !== 'en' && catalogues[language]?.[reasons[code]]) || reason
/** What people named keeps its own direction. */
const named = (text) => create('bdi', text)
/** Draws only what is different: focus and what a screen reader reads stay where they are. */
const drawn = new Map()
const draw = (id, key, make) => {
  const text = JSON.stringify(key)
  if (drawn.get(id) === text) return
  drawn.set(id, text)
  byId(id).replaceChildren(...make())
}
const drawFacts = (id, facts) =>
  draw(id, facts, () =>
    facts.map(([name, value]) => create('div', [create('dt', say(name)), create('dd', named(value))])),
  )
const setText = (id, text) => {
  if (byId(id).textContent !== text) byId(id).textContent = text
}

let state
let showDevices = () => undefined
let showFailures = () => undefined
let fault = ''
const ask = async (path, options = {}) => {
  const response = await fetch(path, { ...options, headers: { 'x-dmp-window': '1', ...options.headers } })
  if (response.status === 401) throw new Error(say('ended'))
  if (response.status === 400 && response.headers.get('content-type') === 'application/json')
    throw new Error(toReason(await response.json()))
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}
const act = async (name, body = {}) => {
  try {
    fault = ''
    show(await ask(`/${name}`, { method: 'POST', body: JSON.stringify(body) }))
    return true
  } catch (error) {
    fault = error.message
    show(state)
    return false
  }
}

function show(next) {
  if (!next) return (setText('alert', fault), void (byId('alert').hidden = !fault))
  state = next
  const lost =
    state.lost &&
    say('lostSince', {
      server: `\u2068${state.server}\u2069`,
      when: `\u2068${formatTime(state.lost.since)}\u2069`,
      reason: `\u2068${state.lost.reason}\u2069`,
    })
  const problem = state.problem && toReason({ code: state.problemCode, reason: state.problem })
  const alert = [lost, problem, state.unconnected, state.update, fault].filter(Boolean).join(' ')
  setText('alert', alert)
  byId('alert').hidden = !alert
  setText('who', [state.organization, state.name].filter(Boolean).join(' · '))
  const isToConnect =
    toStateName(state) === 'notConnected' || Boolean(state.problem && !state.isConnected && !state.isWaiting)
  // Known, and still to be changed: what somebody has written stays.
  if (isToConnect && byId('connect').hidden && byId('server').value === '') byId('server').value = state.address
  byId('connect').hidden = !isToConnect && !state.code
  byId('connect-form').hidden = Boolean(state.code)
  byId('code').hidden = !state.code
  if (state.code) {
    setText('user-code', state.code.userCode)
    setText('code-hint', say('codeHint', { address: `\u2068${state.code.address}\u2069` }))
    setText('code-address', state.code.address)
    // Whatever a server says, only a page is opened.
    if (/^https?:/.test(state.code.address)) byId('code-address').href = state.code.address
  }
  showNow()
  showSeries()
  showFailures(state)
  showDevices(state.gateway)
  draw('folders', state.folders, () =>
    state.folders.map((folder) => {
      const button = create('button', say('remove'), {
        type: 'button',
        ariaLabel: say('removeNamed', { name: folder }),
      })
      button.addEventListener('click', () =>
        act('folders', { folders: state.folders.filter((each) => each !== folder) }),
      )
      return create('li', [named(folder), button])
    }),
  )
  byId('no-folders').hidden = state.folders.length > 0
  showConnection(state)
  setText('deidentification-key', say('deidentificationKey', { file: `\u2068${state.keyFile}\u2069` }))
  const { version, product, offered } = state
  setText(
    'versions',
    [say('uploaderVersion', { version }), product && say('serverVersion', { version: product })]
      .filter(Boolean)
      .join(' · '),
  )
  setText('newer', offered ? say('newer', { version: offered }) : product ? say('newest') : '')
  byId('update').hidden = !offered
}

function showNow() {
  const { counts, waiting, waitingBytes, isCounting } = state
  byId('dot').dataset.state = toStateName(state)
  setText('state', say(toStateName(state)))
  byId('progress').hidden = waiting === 0
  byId('progress').value = 100 * state.arrivedShare
  const { minutesLeft, bytesPerSecond } = toPace(state)
  const left =
    minutesLeft === undefined
      ? '–'
      : minutesLeft === 'unknown'
        ? say('unknown')
        : minutesLeft <= 1
          ? say('lessThanMinute')
          : say('minutes', { count: numbers.format(minutesLeft) })
  const count = numbers.format(waiting)
  drawFacts('facts', [
    ['waiting', isCounting ? say('waitingMore', { count }) : count],
    ['size', size(waitingBytes)],
    ['left', left],
    ['speed', bytesPerSecond === undefined ? '–' : `${size(bytesPerSecond)}/s`],
    ['sent', numbers.format(counts.stored)],
    ['already', numbers.format(counts.duplicate)],
    ['refused', numbers.format(counts.refused)],
    ['skipped', numbers.format(counts['not-dicom'])],
  ])
  setText(
    'slow-now',
    state.isSlowNow && waiting > 0 ? say('slowUntil', { time: `\u2068${state.slower.to}\u2069` }) : '',
  )
  setText('deidentifying', state.isDeidentifying ? say('deidentifying') : '')
  setText('pause', say(state.isPaused ? 'goOn' : 'pause'))
  byId('terminal').hidden = !state.installCommand
  setText('install-command', state.installCommand ?? '')
}

function showSeries() {
  const { series, isCounting, isQuiet, isPaused, isSending, isConnected, lost, problem } = state
  byId('no-series').hidden = series.length > 0
  draw('series', [series, isCounting, isQuiet, isPaused, isSending, isConnected, lost, problem], () =>
    series.map((row) => {
      const { patient, study, name, waiting, stored, duplicate, refused, failed } = row
      const counts = [
        say('seriesCounts', {
          done: numbers.format(stored + duplicate),
          all: numbers.format(waiting + stored + duplicate + refused),
        }),
        refused > 0 && say('seriesRefused', { count: numbers.format(refused) }),
        failed > 0 && say('seriesFailed', { count: numbers.format(failed) }),
        say(toSeriesState(row, state)),
      ]
      const about = [named(patient || say('patientUnknown'))]
      const parts = [study, name].filter(Boolean).flatMap((part) => [' · ', named(part)])
      const dot = create('span', [], { className: 'dot' })
      dot.dataset.state = toSeriesState(row, state)
      return create('li', [
        dot,
        create('span', [create('strong', about), ...parts, create('small', counts.filter(Boolean).join(' · '))]),
      ])
    }),
  )
}

showFailures = createFailures({ byId, say, draw, setText, create, named, numbers, formatTime, toReason, reasons })
const showConnection = createConnection({ byId, say, setText, drawFacts, formatTime, numbers, act })
showDevices = createDevices({ byId, say, draw, setText, create, named, act, numbers, language })
byId('pause').addEventListener('click', () => act('pause', { isPaused: !state.isPaused }))
byId('cancel-code').addEventListener('click', () => act('cancel'))
byId('again').addEventListener('click', () => act('again'))
byId('clear').addEventListener('click', () => act('clear'))
byId('update').addEventListener('click', () => act('update'))
byId('connect-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void act('connect', { server: byId('server').value })
})

byId('deidentification').addEventListener('submit', async (event) => {
  event.preventDefault()
  const isDone = await act('deidentify', { isOn: byId('is-deidentifying').checked })
  setText('deidentification-saved', isDone ? say('saved') : '')
})

let areSettingsShown = false
function showSettings() {
  if (areSettingsShown) return
  areSettingsShown = true
  byId('is-deidentifying').checked = state.isDeidentifying
  byId('is-slower').checked = Boolean(state.slower)
  if (!state.slower) return
  byId('limit').value = state.slower.kilobytesPerSecond
  byId('from').value = state.slower.from
  byId('to').value = state.slower.to
}
byId('slower').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [kilobytesPerSecond, from, to] = [Number(byId('limit').value), byId('from').value, byId('to').value]
  const isDone = await act('slower', { slower: byId('is-slower').checked ? { kilobytesPerSecond, from, to } : null })
  setText('slower-saved', isDone ? say('saved') : '')
})

connectChooser({
  byId,
  say,
  create,
  named,
  setText,
  ask,
  watch: (at) => act('folders', { folders: [...state.folders, at] }),
})
connectDrop({ byId, say, setText, ask, numbers })
connectCopies({ byId, say })
for (;;) {
  try {
    const next = await ask('/state')
    if (fault === say('offline')) fault = ''
    show(next)
    showSettings()
  } catch (error) {
    fault = error instanceof TypeError ? say('offline') : error.message
    show(state)
  }
  await new Promise((resolve) => setTimeout(resolve, 1000))
}
