import { parseListPage } from './listPage.ts'

const page = (more: string): string => `<?xml version="1.0"?><ListBucketResult>${more}</ListBucketResult>`

it('a page of a list has its objects and folders, as stores write their names, and where the next one begins', () => {
  const object =
    '<Contents><Key>a&amp;b&lt;&#x63;&#100;&quot;&other;</Key><Size>7</Size><LastModified>2026-01-02T03:04:05Z</LastModified></Contents>'
  const folders = ['a/', 'b&apos;/'].map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`).join('')
  const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>1/&gt;</NextContinuationToken>'
  expect(parseListPage(page(next + object + folders))).toEqual({
    objects: [{ key: `a&b<cd"&other;`, size: 7, modified: new Date('2026-01-02T03:04:05Z') }],
    folders: ['a/', "b'/"],
    next: '1/>',
  })
})

it.each([['<IsTruncated>false</IsTruncated><NextContinuationToken>1</NextContinuationToken>'], ['']])(
  'a page that says %j is the last one',
  (more) => {
    expect(parseListPage(page(more))).toEqual({ objects: [], folders: [], next: undefined })
  },
)
