import type * as kit from '@dmp/kit'

/** The page as it starts: with this choice of the person and these languages of the browser. */
function startPage(chosen: string | null, browser: readonly string[]): typeof kit {
  localStorage.clear()
  if (chosen !== null) localStorage.setItem('preference:language', chosen)
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(browser)
  let page: typeof kit | undefined
  jest.isolateModules(() => {
    page = jest.requireActual<typeof kit>('@dmp/kit')
  })
  if (!page) throw new Error('The page has not started.')
  page.showLanguage(document)
  return page
}

afterEach(() => {
  jest.restoreAllMocks()
  localStorage.clear()
  startPage(null, ['en-US'])
})

describe('the language of a page', () => {
  it.each([
    ['nothing known', null, ['pt-BR', 'fi'], 'en', 'ltr', 'en'],
    ['a browser that names none', null, [], 'en', 'ltr', 'en'],
    ['the first of the browser’s that there is', null, ['pt', 'de-AT', 'fr'], 'de', 'ltr', 'de-AT'],
    ['the person’s choice before the browser’s', 'ja', ['de-AT'], 'ja', 'ltr', 'ja'],
    ['the country of a chosen language', 'fr', ['en-US', 'fr-CH'], 'fr', 'ltr', 'fr-CH'],
    ['a choice that is no language', 'constructor', ['es-MX'], 'es', 'ltr', 'es-MX'],
    ['a language that is written from the right', null, ['AR-SA-u-nu-arab'], 'ar', 'rtl', 'ar-SA-u-ca-gregory-nu-latn'],
  ])('with %s', (_what, chosen, browser, language, direction, locale) => {
    const page = startPage(chosen, browser)
    expect([page.language(), page.direction(), page.locale()]).toEqual([language, direction, locale])
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([language, direction])
  })

  it('counts days and digits in Arabic as the images do', () => {
    const page = startPage('ar', ['ar-SA'])
    const born = new Intl.DateTimeFormat(page.locale(), { dateStyle: 'short', timeZone: 'UTC' }).format(0)
    expect(born.replaceAll(/[^\d/]/gu, '')).toBe('1/1/1970')
  })

  it('is kept when it is chosen, and the page is loaded in it', () => {
    const page = startPage(null, ['en-US'])
    const reload = jest.fn()
    page.chooseLanguage('de', reload)
    expect(reload).toHaveBeenCalledTimes(1)
    expect(startPage(localStorage.getItem('preference:language'), ['en-US']).language()).toBe('de')
  })

  it('that is chosen again keeps the page, and the choice', () => {
    const page = startPage(null, ['de'])
    const reload = jest.fn()
    page.chooseLanguage('de', reload)
    expect(reload).not.toHaveBeenCalled()
    expect(localStorage.getItem('preference:language')).toBe('de')
  })

  it('is told when another tab chooses another one, until nobody listens', () => {
    const page = startPage(null, ['en-US'])
    const heard: string[] = []
    const stop = page.onLanguageChosen((chosen) => heard.push(chosen))
    const tell = (key: string, newValue: string | null) =>
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
    tell('preference:theme', 'dark')
    tell('preference:language', 'en')
    tell('preference:language', 'klingon')
    tell('preference:language', null)
    expect(heard).toEqual([])
    tell('preference:language', 'ar')
    stop()
    tell('preference:language', 'fr')
    expect(heard).toEqual(['ar'])
  })
})
