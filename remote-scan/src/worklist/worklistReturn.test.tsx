import { scan, type Answer } from '@dmp/contract'
import { aStudy } from '@dmp/contract/examples'
import { CallError, refresh } from '@dmp/kit'
import { answer, addData, signInAs } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { button, draw, jonas, list, namesInOrder, rowOf, ruth } from './worklistInTests.tsx'

describe('somebody who comes back from a study', () => {
  const second = async () => {
    await screen.findAllByText('Sample, Ruth')
    return screen.getAllByRole('link', { name: /^Sample, Ruth, / })[1]!
  }

  it.each(['the keyboard', 'the pointer'])('finds the focus on its row again, opened by %s [P77]', async (by) => {
    const { user, goTo } = draw()
    if (by === 'the pointer') await user.click(await second())
    else {
      act(() => void second().then((link) => link.focus()))
      await waitFor(async () => expect(await second()).toHaveFocus())
      await user.keyboard('{Enter}')
    }
    await screen.findByText('Institution Name')
    await goTo(-1)
    await waitFor(async () => expect(await second()).toHaveFocus())
  })

  it('finds what was ticked, by Back, and nothing ticked where the list is opened anew [P77]', async () => {
    const { user, goTo } = draw()
    await user.click(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ }))
    await user.click(await second())
    await screen.findByText('Institution Name')
    await goTo(-1)
    expect(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ })).toBeChecked()
    expect(screen.getByText('1 selected')).toBeVisible()
    await goTo('/dashboard')
    await goTo('/scan/worklist')
    expect(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ })).not.toBeChecked()
  })

  it('finds page and list where they were scrolled to', async () => {
    const { user, goTo } = draw()
    const link = await second()
    jest.replaceProperty(window, 'scrollY', 300)
    link.closest('.worklist-box')!.scrollTop = 120
    await user.click(link)
    await screen.findByText('Institution Name')
    const page = jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
    const scrolled: unknown[] = []
    Element.prototype.scrollTo = ((to: unknown) => scrolled.push(to)) as Element['scrollTo']
    await goTo(-1)
    await waitFor(async () => expect(await second()).toHaveFocus())
    expect(page).toHaveBeenLastCalledWith(0, 300)
    expect(scrolled).toEqual([{ top: 120 }])
    Reflect.deleteProperty(Element.prototype, 'scrollTo')
    jest.restoreAllMocks()
  })

  it('goes on in the search where they are there before the rows come', async () => {
    let rows: Promise<Answer<typeof scan.listStudies>> | Answer<typeof scan.listStudies> = { rows: [ruth], total: 1 }
    const { user, goTo } = draw([answer(scan.listStudies, () => rows as never)])
    await user.click(await screen.findByRole('link', { name: 'Sample, Ruth' }))
    await screen.findByText('Institution Name')
    const late = Promise.withResolvers<Answer<typeof scan.listStudies>>()
    rows = late.promise
    act(() => refresh([scan.listStudies]))
    await goTo(-1)
    const search = await screen.findByRole('searchbox', { name: 'Search studies' })
    act(() => search.focus())
    await act(async () => late.resolve({ rows: [ruth], total: 1 }))
    expect(await screen.findByRole('link', { name: 'Sample, Ruth' })).toBeVisible()
    expect(search).toHaveFocus()
  })

  it('finds nothing of where somebody else was before them in this tab [P23]', async () => {
    const { user, goTo } = draw()
    await user.click(await button(/Series of Example, Jonas/))
    await user.click(screen.getByRole('link', { name: 'Example, Jonas' }))
    await screen.findByText('Institution Name')
    act(() => signInAs('admin', { email: 'next@north.example' }))
    await goTo(-1)
    expect(await screen.findByRole('link', { name: 'Example, Jonas' })).not.toHaveFocus()
    expect(screen.queryByRole('link', { name: 'Late' })).toBeNull()
  })

  it('gets there by the path above the study, too, and finds the series that were open [P77]', async () => {
    const { user, path } = draw()
    await user.click(await button(/Series of Example, Jonas/))
    await user.click(screen.getByRole('link', { name: 'Example, Jonas' }))
    await screen.findByText('Institution Name')
    await user.click(
      within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Worklist' }),
    )
    await waitFor(() => expect(path()).toBe('/scan/worklist'))
    await waitFor(() => expect(screen.getByRole('link', { name: 'Example, Jonas' })).toHaveFocus())
    expect(screen.getByRole('link', { name: 'Late' })).toBeVisible()
  })
})

describe('somebody who comes back from the viewer', () => {
  const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')))
  const isNew = async () => within(await rowOf(/Select Sample, Ruth, Knee/)).queryByText('New') !== null

  it('finds the mark gone from what was opened, here or in another tab, and every row where it was', async () => {
    let rows = [ruth, jonas]
    const { calls } = draw([answer(scan.listStudies, () => ({ rows, total: rows.length }))])
    expect(await isNew()).toBe(true)
    const before = await namesInOrder()
    // Another study came meanwhile: it is counted, and comes in when it is asked for.
    rows = [aStudy({ studyUID: '2.25.150' }), { ...ruth, isNew: false }, jonas]
    comeBack()
    await waitFor(async () => expect(await isNew()).toBe(false))
    expect(await namesInOrder()).toEqual(before)
    expect(calls(scan.countStudies).length).toBeGreaterThan(1)
  })

  it('finds it there again once more has arrived, and gone after another look', async () => {
    let rows = [ruth, jonas]
    const { user } = draw([answer(scan.listStudies, () => ({ rows, total: rows.length }))])
    for (const images of [ruth.images + 1, ruth.images + 2]) {
      expect(await isNew()).toBe(true)
      rows = [{ ...ruth, isNew: false }, jonas]
      comeBack()
      await waitFor(async () => expect(await isNew()).toBe(false))
      rows = [{ ...ruth, images }, jonas]
      await user.click(screen.getByRole('button', { name: 'Patient' }))
      await waitFor(async () => expect(await isNew()).toBe(true))
    }
  })

  it('finds it gone at the next look where one could not be had', async () => {
    let reply: Answer<typeof scan.listStudies> | CallError = { rows: [ruth, jonas], total: 2 }
    const { calls } = draw([answer(scan.listStudies, () => reply)])
    expect(await isNew()).toBe(true)
    const asked = calls(scan.listStudies).length
    reply = new CallError(503, 'BUSY', 'Try again later.')
    comeBack()
    await waitFor(() => expect(calls(scan.listStudies)).toHaveLength(asked + 1))
    reply = { rows: [{ ...ruth, isNew: false }, jonas], total: 2 }
    await waitFor(async () => {
      comeBack()
      expect(await isNew()).toBe(false)
    })
  })

  it('asks once, whatever tells that they are back, and not at all where nothing is new', async () => {
    const before = { ...ruth, isNew: false }
    let reply = Promise.withResolvers<Answer<typeof scan.listStudies>>()
    let rows = [ruth, jonas]
    let isHeld = false
    const { calls, unmount } = draw([
      answer(scan.listStudies, () => (isHeld ? reply.promise : { rows, total: rows.length }) as never),
    ])
    expect(await isNew()).toBe(true)
    const asked = calls(scan.listStudies).length
    // The tab is left, which is no return.
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    comeBack()
    sight.mockRestore()
    await namesInOrder()
    expect(calls(scan.listStudies)).toHaveLength(asked)
    isHeld = true
    comeBack()
    act(() => void dispatchEvent(new Event('focus')))
    comeBack()
    await act(async () => reply.resolve({ rows: [before, jonas], total: 2 }))
    await waitFor(async () => expect(await isNew()).toBe(false))
    expect(calls(scan.listStudies)).toHaveLength(asked + 1)
    unmount()
    isHeld = false
    reply = Promise.withResolvers()
    rows = [before, jonas]
    const later = draw([answer(scan.listStudies, { rows, total: 2 })])
    await namesInOrder()
    const first = later.calls(scan.listStudies).length
    comeBack()
    await waitFor(() => expect(later.calls(scan.countStudies).length).toBeGreaterThan(1))
    expect(later.calls(scan.listStudies)).toHaveLength(first)
  })

  it('finds it gone from the list of new ones, too', async () => {
    let rows = [ruth, { ...jonas, isNew: true }]
    draw([answer(scan.listStudies, () => ({ rows, total: rows.length }))], { at: '/scan/worklist?isNew=true' })
    expect(await screen.findByText('1 to 2 of 2')).toBeVisible()
    rows = [ruth]
    comeBack()
    expect(await screen.findByText('1 to 1 of 1')).toBeVisible()
  })
})

it('counts images as DICOM does, and says their frames [3.12]', async () => {
  const { user } = draw([list([aStudy({ images: 459, imageInstances: 102 })])])
  const row = within(await rowOf(/Select Sample, Ruth, Knee/))
  expect(row.getByText('102')).toHaveAttribute('title', '102 images · 459 frames')
  await user.click(screen.getByRole('link', { name: 'Sample, Ruth' }).closest('tr')!)
  await user.keyboard(' ')
  const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
  expect(preview.getByText('102 images · 459 frames')).toBeVisible()
})

it('says the whole of a date that one points at [P77]', async () => {
  const { user } = draw([list([ruth])])
  const row = within(await rowOf(/Select Sample, Ruth, Knee/))
  const date = row.getByText('2026-05-04')
  await user.hover(date)
  expect(date).toHaveAttribute('title', expect.stringMatching(/^Monday, May 4, 2026 · /))
  for (const other of ['1970-02-03', '2026-05-05']) expect(row.getByText(other).tagName).toBe('TIME')
})

it('names what there is no room for, of the columns that give way [P77]', async () => {
  const { user } = draw()
  await namesInOrder()
  const room = () => screen.queryByText(/No room for:/)
  expect(room()).toHaveTextContent('No room for: BornStatusReceivedImages')
  await user.click(screen.getByText('Columns'))
  await user.click(screen.getByRole('checkbox', { name: 'Source' }))
  await waitFor(() => expect(room()).toBeNull())
})

it('says the sex by the first letter of its word in the language of the page [P29]', async () => {
  draw([list([{ ...ruth, sex: 'Female' }])])
  // Drawing brings words of its own, and knows none of German.
  addData('Weiblich')
  const page = globalThis as { dmpTexts?: Record<string, (text: string) => string | undefined> }
  const texts = page.dmpTexts
  page.dmpTexts = { ...texts, host: (text) => (text === 'Female' ? 'Weiblich' : undefined) }
  try {
    const row = within(await rowOf(/Select Sample, Ruth, Knee/))
    expect(row.getByTitle('Weiblich')).toHaveTextContent(/^W$/)
  } finally {
    if (texts) page.dmpTexts = texts
    else delete page.dmpTexts
  }
})

it('shares what one looks at beside the list', async () => {
  const { user } = draw([list([jonas]), answer(scan.listShareable, [])])
  await user.click((await screen.findByRole('link', { name: 'Example, Jonas' })).closest('tr')!)
  await user.keyboard(' ')
  const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
  await user.click(preview.getByRole('button', { name: 'Share' }))
  const dialog = await screen.findByRole('dialog', { name: 'Share' })
  // The dialog fades in.
  await waitFor(() => expect(dialog).toBeVisible())
})
