import { createElement } from 'react'
import { createSay } from './say.ts'

const say = createSay(
  {
    Save: 'احفظ',
    '{count} scans': '{count, plural, zero {لا فحوص} one {فحص واحد} two {فحصان} few {# فحوص} other {# فحصا}}',
    'Read <a>the terms</a> of {name}': '{name}: <a>الشروط</a>',
    'Broken {name}': '{name, plural}',
    toString: 'نص',
  },
  'ar-u-nu-latn',
)

describe('a catalogue', () => {
  it('says a text, and leaves to English what it does not know', () => {
    expect(say('Save')).toBe('احفظ')
    expect(say('Delete')).toBeUndefined()
    expect(say('constructor')).toBeUndefined()
    expect(say('toString')).toBe('نص')
  })

  it.each([
    [0, 'لا فحوص'],
    [1, 'فحص واحد'],
    [2, 'فحصان'],
    [3, '3 فحوص'],
    [11, '11 فحصا'],
  ])('counts %d as its language does', (count, text) => {
    expect(say('{count} scans', { count })).toBe(text)
  })

  it('puts elements where its language wants them', () => {
    const name = createElement('b', null, 'DMP')
    const said = say('Read <a>the terms</a> of {name}', {
      name,
      a: (inner: unknown[]) => createElement('a', { href: '/terms' }, ...(inner as string[])),
    })
    expect(said).toEqual([name, ': ', createElement('a', { href: '/terms' }, 'الشروط')])
  })

  it('says nothing in place of a message that cannot be read', () => {
    expect(say('Broken {name}', { name: 'x' })).toBeUndefined()
  })
})
