import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Builder, By, Capabilities, until, type WebDriver, type WebElement } from 'selenium-webdriver'
import type { OpenBrowser } from './run.ts'
import { Tab } from './Tab.ts'

/** Nothing waits as long as that where the machine has time. */
const patienceMs = 120_000
const startMs = 60_000

/** By WebDriver, which is the only way that WebKit of GTK is driven. It is the engine of every browser on an iPhone. */
class WebKitTab extends Tab {
  readonly #driver: WebDriver
  readonly #process: ChildProcess

  constructor(driver: WebDriver, process: ChildProcess, address: string) {
    super(address)
    this.#driver = driver
    this.#process = process
  }

  async open(path: string): Promise<void> {
    await this.#keepErrors()
    await this.#driver.get(new URL(path, this.address).href)
    await this.#listen()
  }

  async reload(): Promise<void> {
    await this.#keepErrors()
    await this.#driver.navigate().refresh()
    await this.#listen()
  }

  async click(name: string): Promise<void> {
    const find = async (): Promise<WebElement | false> => {
      for (const element of await this.#driver.findElements(By.css('button, [role="button"]')))
        if ((await element.isDisplayed()) && (await element.getAccessibleName()) === name) return element
      return false
    }
    // What React draws anew in the meantime is looked for again.
    const element = await this.#driver.wait(() => find().catch(() => false as const), patienceMs, `No button ${name}`)
    await (element as WebElement).click()
  }

  async fill(selector: string, value: string): Promise<void> {
    const element = await this.#driver.wait(until.elementLocated(By.css(selector)), patienceMs)
    await element.clear()
    await element.sendKeys(value)
  }

  async upload(selector: string, path: string): Promise<void> {
    await (await this.#driver.wait(until.elementLocated(By.css(selector)), patienceMs)).sendKeys(path)
  }

  async read<A extends unknown[], T>(work: (...values: A) => T | Promise<T>, ...values: A): Promise<T> {
    return this.#driver.executeScript<T>(`return (${String(work)})(...arguments)`, ...values)
  }

  async readElement<E extends Element, T>(selector: string, work: (element: E) => T): Promise<T> {
    const script = `return (${String(work)})(document.querySelector(arguments[0]))`
    return this.#driver.executeScript<T>(script, selector)
  }

  async waitUntil<A extends unknown[]>(work: (...values: A) => boolean, ...values: A): Promise<void> {
    const isSo = () => this.read<A, boolean>(work, ...values).catch(() => false)
    await this.#driver.wait(isSo, patienceMs, `Not in time: ${String(work)} ${values.join(' ')}`)
  }

  async close(): Promise<void> {
    await this.#keepErrors()
    await this.#driver.quit()
    this.#process.kill()
  }

  /** WebDriver tells of no errors, so the page keeps what it hears from its first moment at which it can be asked. */
  async #listen(): Promise<void> {
    await this.read(() => {
      const kept: string[] = []
      Object.assign(window, { errorsOfJourney: kept })
      addEventListener('error', ({ message, error }) =>
        kept.push(`${message}\n${error instanceof Error ? (error.stack ?? '') : ''}`),
      )
      addEventListener('unhandledrejection', ({ reason }) => kept.push(`Unhandled: ${String(reason)}`))
    })
  }

  async #keepErrors(): Promise<void> {
    const kept = await this.read(() => (window as { errorsOfJourney?: string[] }).errorsOfJourney ?? []).catch(() => [])
    this.errors.push(...kept)
  }
}

/** Each session needs a driver of its own, and the window a screen, which may be one that nobody looks at. */
export const openWebKit: OpenBrowser = async (binary, address) => {
  const screen = process.env.DISPLAY ? undefined : await startScreen()
  const display = screen?.display ?? process.env.DISPLAY ?? ''
  return {
    another: async () => {
      // The browser of a driver sometimes never comes; that says nothing about the product.
      const session = (await openSession(binary, display)) ?? (await openSession(binary, display))
      if (!session) throw new Error('WebKit does not start.')
      return new WebKitTab(session.driver, session.process, address)
    },
    close: () => Promise.resolve(void screen?.process.kill()),
  }
}

interface Session {
  readonly driver: WebDriver
  readonly process: ChildProcess
}

async function openSession(binary: string, display: string): Promise<Session | undefined> {
  const port = await findFreePort()
  const child = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: display,
      // It refuses to run as root otherwise, as containers do; nothing is opened here but the product.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
    stdio: 'ignore',
  })
  const late = pause(startMs, undefined, { ref: false })
  const started = answers(port).then(async () => {
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build()
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 })
    return driver
  })
  const driver = await Promise.race([started.catch(() => undefined), late])
  if (driver) return { driver, process: child }
  child.kill('SIGKILL')
  return undefined
}

async function startScreen(): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const numbers = screen.stdio[3]
  if (!numbers) throw new Error('Xvfb does not say which display it serves.')
  const [number] = (await once(numbers, 'data')) as [Buffer]
  return { process: screen, display: `:${number.toString().trim()}` }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function answers(port: number): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(50))
    if (await fetch(`http://127.0.0.1:${port}/status`).catch(() => false)) return
  throw new Error('WebKitWebDriver does not answer.')
}
