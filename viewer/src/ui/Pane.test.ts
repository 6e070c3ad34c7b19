import { getByRole, queryByRole, waitFor } from '@testing-library/dom'
import { tag } from '@dmp/dicom'
import { askedForPriors, inATabOfItsOwn, lostAddresses, page, prior } from '../testing/page.ts'

inATabOfItsOwn()

describe('a series that comes late', () => {
  /** Somebody opens b, whose headers are on their way, and goes back to a. */
  const backFromB = async () => {
    const all = await page({ a: 3, b: 5 })
    await all.says('2 / 3')
    const { fetch } = globalThis
    const coming = Promise.withResolvers<void>()
    globalThis.fetch = async (...given) => {
      if (String(given[0]).includes('series/b/')) await coming.promise
      return fetch(...given)
    }
    const open = (uid: string) => getByRole(all.place, 'button', { name: new RegExp(`^${uid}`) }).click()
    open('b')
    await all.says('Loading …')
    open('a')
    await all.says('2 / 3')
    const comes = async () => {
      coming.resolve()
      for (let turns = 0; turns < 3; turns += 1) await all.turn()
    }
    return { ...all, comes, open }
  }

  it('does not take the place of what was chosen after it [7.42]', async () => {
    const { comes, pane, says, open } = await backFromB()
    await comes()
    await says('2 / 3')
    expect(pane().querySelector('.corner.top-right p')).toHaveTextContent(/^a$/)
    open('b')
    await says('3 / 5')
  })

  it('and cannot be shown says nothing over what was chosen after it [7.42, P28]', async () => {
    lostAddresses.add('b')
    const { comes, pane } = await backFromB()
    await comes()
    expect(queryByRole(pane(), 'alert')).toBeNull()
    expect(pane()).toHaveTextContent('2 / 3')
  })
})

it('other studies are looked for also where the first series cannot be shown [P79]', async () => {
  lostAddresses.add('a')
  const { place, says } = await page({ a: 1 }, { priors: [prior('9')] })
  await says('These images were not found')
  await waitFor(() => expect(askedForPriors).toEqual(['/launch/priors/1']))
  // Nobody knows whose study it is: none can be told to be somebody else's.
  await waitFor(() => expect(place.querySelectorAll('.priors .series-button')).toHaveLength(1))
  expect(place.querySelector('.series-warning')).toBeNull()
})

it('studies of which nothing is known stand apart, without name, ID and day [7.42, P25]', async () => {
  const { place, says } = await page({ a: 1, b: 1 }, { series: { a: { studyUid: '1' }, b: { studyUid: '2' } } })
  await says('1 / 1')
  const headings = [...place.querySelectorAll('.study-group h2')].map((heading) => heading.textContent)
  expect(headings).toEqual(['No name', 'No name'])
  document.body.replaceChildren()
  const some = await page(
    { a: 1, b: 1 },
    {
      series: { a: { studyUid: '1' }, b: { studyUid: '2' } },
      studies: [
        { [tag.StudyInstanceUID]: { Value: ['1'] }, [tag.StudyDescription]: { Value: ['Head'] } },
        { [tag.StudyInstanceUID]: { Value: ['2'] }, [tag.PatientID]: { Value: ['P-2'] } },
      ],
    },
  )
  await some.says('1 / 1')
  const facts = [...some.place.querySelectorAll('.study-group h2')].map((heading) =>
    [...heading.children].map((part) => part.textContent),
  )
  expect(facts).toEqual([
    ['No name', 'Head'],
    ['No name', 'ID P-2'],
  ])
})
