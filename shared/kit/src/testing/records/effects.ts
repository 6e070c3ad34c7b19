import { queryClient } from '../../transport/queryClient.ts'
import { getNotices } from '../../ui/notify.ts'
import { getTasks } from '../../ui/tasks.ts'

/** What a screen does outside of itself: files, windows, the clipboard, the printer. */
const outside: string[] = []
const files = new Map<string, Blob>()

const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () => resolve(String(reader.result)))
    reader.readAsText(blob)
  })

function say(what: string): void {
  outside.push(what)
}

const readNames = new Set<string>()
/** What the screens have looked for in their address since the last time. */
export const takeReadNames = (): string[] => {
  const names = [...readNames]
  readNames.clear()
  return names
}

function watchAddress(): void {
  const { get } = URLSearchParams.prototype
  URLSearchParams.prototype.get = function read(name) {
    readNames.add(name)
    return get.call(this, name)
  }
}

/** Stands in for what jsdom has not, and notes it. */
export function watchOutside(): void {
  watchAddress()
  Object.assign(URL, {
    createObjectURL(blob: Blob) {
      const url = `blob:own-${files.size + 1}`
      files.set(url, blob)
      return url
    },
    revokeObjectURL: () => undefined,
  })
  HTMLAnchorElement.prototype.click = function click() {
    const blob = files.get(this.href)
    const at = outside.push(`saves “${this.download}” ${blob ? '' : this.getAttribute('href')}`) - 1
    if (blob) void textOf(blob).then((text) => (outside[at] = `saves “${this.download}” ${JSON.stringify(text)}`))
  }
  Object.assign(globalThis, {
    open: (url: string, target?: string) => {
      say(`opens ${url}${target ? ` in ${target}` : ''}`)
      return { opener: null }
    },
    print: () => say('prints'),
  })
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => say(`copies “${text}”`) },
  })
}

export const takeOutside = (): string[] => {
  files.clear()
  return outside.splice(0)
}

/** Who is there, and when they last did something: every page keeps it. */
const ofEveryPage = /^(?:authData|user$|lastActive|dmp-)/i

/** What stands beside the screen: notices and work of the page, and what the browser keeps. */
export function besides(): string[] {
  const kept = (name: string, storage: Storage) =>
    Object.keys(storage)
      .filter((key) => !ofEveryPage.test(key))
      .sort()
      .map((key) => `${name} ${key} = ${storage.getItem(key)}`)
  return [
    `title “${document.title}”`,
    ...getNotices().shown.map(
      ({ kind, text, action }) => `notice ${kind} “${text}”${action ? ` [${action.label}]` : ''}`,
    ),
    ...getTasks().map(({ title, url, percent, state }) => `task “${title}” ${state} ${percent} % ${url}`),
    ...kept('keeps', localStorage),
    ...kept('keeps for this tab', sessionStorage),
  ]
}

const earlier = { asked: 'before' }
/** Answers that other screens had. */
export function placeEarlier(names: readonly string[]): void {
  for (const name of names) queryClient.setQueryData([name, earlier], null)
}

/** The answers of other screens that are old now. */
export const listOutdated = (names: readonly string[]): string[] =>
  names.filter((name) => {
    const state = queryClient.getQueryState([name, earlier])
    return state === undefined || state.isInvalidated
  })
