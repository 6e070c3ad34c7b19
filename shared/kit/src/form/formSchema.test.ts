import { exact, required } from '@dmp/contract/fields'
import * as v from 'valibot'
import { createState, formReducer } from './formReducer.ts'
import { createStart, getEntries, hasChanges, toSend, validate } from './formSchema.ts'
import { isWholeDraft } from './useDraft.ts'

describe('whether a form differs from where it started', () => {
  it.each([
    ['nothing changed', { name: 'a' }, { name: 'a' }, false],
    ['a text changed', { name: 'a' }, { name: 'b' }, true],
    ['an empty field was emptied again', { name: null }, { name: '' }, false],
    ['the same choices in another list', { roles: ['a', 'b'] }, { roles: ['a', 'b'] }, false],
    ['one choice more', { roles: ['a'] }, { roles: ['a', 'b'] }, true],
    ['a list in place of a text', { roles: 'a' }, { roles: ['a'] }, true],
  ])('%s [P27]', (_, start, values, isDifferent) => {
    expect(hasChanges(start, values)).toBe(isDifferent)
  })
})

const text = v.string('Text.')
const kinds = exact({
  name: text,
  isOn: v.boolean('Yes or no.'),
  agrees: v.literal(true, 'Please agree.'),
  note: v.optional(text),
  fax: v.nullish(text),
  size: v.exactOptional(v.pipe(text, v.nonEmpty('Empty.'))),
  more: v.undefinedable(text),
})
const start = { name: '', isOn: false, agrees: false, note: '', fax: '', size: '', more: '' }

describe('the values of a form', () => {
  it('begin empty, boxes unticked, or with what is stored', () => {
    expect(createStart(kinds, {})).toEqual(start)
    expect(createStart(kinds, { name: 'a', isOn: true, fax: null })).toEqual({ ...start, name: 'a', isOn: true })
  })

  it.each([
    ['were never filled in', {}, ['agrees', 'isOn', 'name']],
    [
      'were emptied, as far as the server takes that',
      { note: 'n', fax: 'f', size: 's', more: 'm' },
      ['agrees', 'fax', 'isOn', 'more', 'name', 'note'],
    ],
  ])('are sent without optional ones that %s [3.15]', (_what, before, sent) => {
    expect(Object.keys(toSend(kinds, start, { ...start, ...before })).toSorted()).toEqual(sent)
  })

  it('are wrong in the words of their field, or that something is missing [5.17]', () => {
    const schema = exact({
      name: required('Please enter a name.'),
      kind: text,
      id: v.picklist(['a', 'b']),
      agrees: v.literal(true, 'Please agree.'),
    })
    expect(validate(schema, { name: '', kind: undefined, id: '', agrees: '' }).errors).toEqual({
      name: 'Please enter a name.',
      kind: 'Text.',
      id: 'This field is required!',
      agrees: 'Please agree.',
    })
  })

  it('need a schema of fields', () => {
    expect(() => getEntries(text as never)).toThrow('A form needs an object schema')
  })
})

describe('what the server refused', () => {
  it('stays at the other fields when one is corrected [8.02]', () => {
    const first = createState({ name: '', mail: '' }, null)
    const fields = { name: 'Taken.', mail: 'Taken, too.' }
    const refused = formReducer(first, { type: 'refused', error: null, fields, isBehind: false })
    expect(formReducer(refused, { type: 'change', name: 'name', value: 'b' }).refused).toEqual({ mail: 'Taken, too.' })
  })
})

describe('what a draft holds', () => {
  // With the quotes, the brackets and the name: {"a":"…"}
  const imageOf = (chars: number) => ({ a: 'x'.repeat(chars - 8) })
  it.each([
    ['an image of as many characters as are kept', { image: imageOf(100_000) }, {}, true],
    ['a larger image', { image: imageOf(100_001) }, {}, false],
    ['a long text', { image: 'x'.repeat(200_000) }, {}, true],
    ['a secret', { image: 'word' }, { isSecret: true }, false],
    ['a secret that was not changed', { image: '' }, { isSecret: true }, true],
  ])('is all of it with %s [P23, P27]', (_what, values, entry, isWhole) => {
    expect(isWholeDraft({ image: '' }, values, new Map([['image', { label: 'Image', ...entry }]]))).toBe(isWhole)
  })
})
