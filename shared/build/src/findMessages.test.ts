import { findMessages, replaceMessages } from './findMessages.ts'

const textsOf = (source: string): string[] => findMessages('a.tsx', source).map(({ text }) => text)
const replace = (source: string): string => replaceMessages(findMessages('a.tsx', source), source) ?? source

describe('texts of the screens', () => {
  it.each([
    ['words of an element', 'const a = <p>The link works</p>', ['The link works']],
    ['entities as people see them', 'const a = <p>Don&apos;t wait</p>', ["Don't wait"]],
    ['small words as well', "const a = <p>{one ? 'person' : 'people'}</p>", ['person', 'people']],
    ['shown attributes', 'const a = <Field label="Valid for" placeholder="None" />', ['Valid for', 'None']],
    ['shown properties, in lists and behind conditions', "const a = { title: b ? 'New' : 'Old' }", ['New', 'Old']],
    [
      'results of functions with a shown name',
      "const stateText = (b) => { if (b) return 'Done'; return 'Open' }",
      ['Done', 'Open'],
    ],
    ['sentences wherever they are', "notify.error('The upload has stopped.')", ['The upload has stopped.']],
    [
      'notices, however short',
      "notify.success(a ? 'Saved' : 'Scan deleted'); offerUndo(`${name} paused`, undefined); print('Saved')",
      ['Saved', 'Scan deleted', '{name} paused'],
    ],
    [
      'values by what they are',
      'notify.info(`${scan.images.length} of ${formatSize(all)} arrived.`)',
      ['{images} of {all} arrived.'],
    ],
    ['the same value once', 'const a = <p>{name} and {name}, {a.name}</p>', ['{name} and {name}, {name2}']],
    [
      'inner elements as tags',
      'const a = <p>Read <a href="/x">the terms</a> first</p>',
      ['Read <a>the terms</a> first'],
    ],
    [
      'what a badge says, and no other value',
      'const a = <p><StatusBadge value="All healthy" /><Choice value="Not of it" /></p>',
      ['All healthy'],
    ],
    ['what is typed as a value', 'const a = <p>Type <code>npm start</code> now</p>', ['Type {code} now']],
  ])('are %s', (_what, source, texts) => {
    expect(textsOf(source)).toEqual(texts)
  })

  it.each([
    ['classes, ids and addresses', '<p className="Wide and Tall" id="Some Id Of It" href="/a b c d" />'],
    ['what data is compared with', "a === 'Not Created' || b['Not Created']"],
    ['keys and cases', "switch (a) { case 'Not Created': b({ 'Not Created': 1 }) }"],
    [
      'types, imports and queries',
      "import x from 'Some Module Of It.'; type T = 'Not Created yet.'; sql`Select all of it.`",
    ],
    ['icons and patterns of dates', "a({ title: 'M4 4h16v16H4z', label: 'YYYY-MM-DD' })"],
    ['values of the protocol', 'headers({ authorization: `Bearer ${token}`, accept: "Content-Type" })'],
    ['braces, which would be read as values', "a({ title: 'Write {this}' })"],
  ])('are not %s', (_what, source) => {
    expect(textsOf(source)).toEqual([])
  })

  it.each([
    ['fields of a table of words', "const stateWords = { done: 'done', open: 'to do' } as const", ['done', 'to do']],
    [
      'names for screen readers, however short',
      '<img alt="logo" aria-label="none" placeholder="any" />',
      ['logo', 'none', 'any'],
    ],
    [
      'values of facts, and not those of choices',
      "a([{ label: 'Datastore', value: b ? 'Not created' : c }, { label: 'New', value: 'New' }])",
      ['Datastore', 'Not created', 'New'],
    ],
    ['parts of sentences where a name says so', 'const toBornText = (date) => `born ${date}`', ['born {date}']],
  ])('are %s', (_what, source, texts) => {
    expect(textsOf(source)).toEqual(texts)
  })

  it('are said when they are read where a module says them as it is loaded, so that they follow a late catalogue', () => {
    expect(replace("const columns = [{ title: 'Created by' }]")).toBe(
      'const columns = [{ get title() { return __text("Created by") } }]',
    )
    expect(replace("const name = v.string('This is required.')")).toBe(
      'const name = v.string(() => __text("This is required."))',
    )
    expect(replace("const list = () => [{ title: 'Created by' }]")).toBe(
      'const list = () => [{ title: __text("Created by") }]',
    )
  })

  it.each([
    ["const sentence = 'This is one of them.'", true],
    ["const names = ['This is one of them.']", true],
    ['const none = <p>None</p>', true],
    ["const none = <p title='None of them' />", true],
    ["const sentence = () => 'This is one of them.'", false],
    ["const columns = [{ title: 'Created by' }]", false],
    ["const name = v.string('This is required.')", false],
  ])('tell whether they keep the language in which the module was loaded: %s', (source, isSaidOnLoad) => {
    expect(findMessages('a.tsx', source).map((one) => one.isSaidOnLoad)).toEqual([isSaidOnLoad])
  })

  it('of a test are what it draws, not what it expects', () => {
    const source = 'draw(<p title="Of it">It works</p>); expect(getByText(\'The link has ended.\'))'
    expect(findMessages('a.test.tsx', source, { elementsOnly: true }).map(({ text }) => text)).toEqual([
      'Of it',
      'It works',
    ])
  })

  it('say themselves in place of what stood there', () => {
    expect(replace('const a = <Field label="Valid for" />')).toBe('const a = <Field label={__text("Valid for")} />')
    expect(replace('const a = () => ({ title: `All ${count} scans` })')).toBe(
      'const a = () => ({ title: __text("All {count} scans", { count: (count) }) })',
    )
    expect(replace("const a = <p>No{' '}<b>{name}</b></p>")).toBe(
      'const a = <p>{__elements("No {b}", { b: <b>{name}</b> })}</p>',
    )
    expect(replace('const a = <p>Read <a href="/x" title="Our terms">the terms</a></p>')).toBe(
      'const a = <p>{__elements("Read <a>the terms</a>", { a: (__words) => ' +
        '(<a href="/x" title={__text("Our terms")}>{__words}</a>) })}</p>',
    )
  })

  it('keep the spaces around them, and icons and fields outside', () => {
    expect(replace('const a = <p><Icon /> Signed in</p>')).toBe(`const a = <p><Icon />{' '}{__text("Signed in")}</p>`)
    expect(replace('const a = <p>{b && ` ${count} arrived already.`}</p>')).toBe(
      'const a = <p>{b && (" " + __text("{count} arrived already.", { count: (count) }))}</p>',
    )
  })

  it('leave every line where it was', () => {
    const source = 'const a = (\n  <p>\n    The link works\n    once, for {name}.\n  </p>\n)\nconst b = 1\n'
    expect(
      replace(source)
        .split('\n')
        .findIndex((line) => line.includes('const b')),
    ).toBe(6)
  })

  it('inside a value of another text are replaced, too', () => {
    expect(replace("const a = <p>{b ? 'One person' : 'Two people'} may see it</p>")).toBe(
      'const a = <p>{__elements("{value} may see it", { value: (b ? __text("One person") : __text("Two people")) })}</p>',
    )
  })
})
