import { checkLogicalStyles, findSides } from './logicalStyles.ts'

describe('a style of one side', () => {
  it.each([
    'left: 0',
    'margin-left: auto',
    'padding-right: calc(1px + (2px * 3))',
    'border-left-color: red',
    'border-top-left-radius: 0',
    'scroll-margin-left: 8px',
    'text-align: right',
    'float: left',
    'margin: 0 auto 0 0',
    'inset: 0 auto 0 calc(1px + 2px)',
  ])('such as %s is refused, with its line', (declaration) => {
    const found = findSides('a.css', `.a {\n  color: red;\n\n  ${declaration};\n}\n`)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^a\.css:4: /)
    expect(findSides('a.css', `.a { ${declaration} }`)).toHaveLength(1)
    expect(findSides('a.css', `@media print { .a { ${declaration} } }`)).toHaveLength(1)
  })

  it.each([
    'inset-inline-start: 0',
    'margin-inline: auto 0',
    'text-align: start',
    'padding: 8px 12px 8px 12px',
    'margin: 0 auto',
    'border-radius: 8px 8px 0 0',
    'grid-area: 2 / 1 / auto / -1',
    'background: url("left: 0")',
  ])('is not %s', (declaration) => {
    expect(findSides('a.css', `.left:hover {\n  ${declaration};\n}`)).toEqual([])
  })

  it('may stand after the reason for it, and the next one may not', () => {
    const found = findSides('a.css', '.a {\n  /* physical: the heart is there */\n  left: 0;\n  right: 0;\n}')
    expect(found).toEqual([expect.stringContaining('a.css:4: right')])
    expect(findSides('a.css', '.a {\n  /* no reason */\n  left: 0;\n}')).toHaveLength(1)
  })

  it('is nowhere in this project', () => expect(checkLogicalStyles()).toEqual([]))
})
