import { readAddress, withoutSession } from './address.ts'

describe('the address of the viewer', () => {
  it('reads session id, datastore, studies and image set id [7.42]', () => {
    const search = '?sessionId=5a9b-1&datastore=0a1b&StudyInstanceUIDs=1.2.840.1&ImageSetID=9z8y'
    expect(readAddress(search)).toEqual({
      sessionId: '5a9b-1',
      datastore: '0a1b',
      imageSetId: '9z8y',
      studyUids: ['1.2.840.1'],
      seriesUid: undefined,
    })
  })

  it('takes several studies once each, whatever the case of the names [7.42]', () => {
    expect(readAddress('?studyinstanceuids=1.2,1.3,1.2').studyUids).toEqual(['1.2', '1.3'])
  })

  it('opens on the series that the launch names [7.42]', () => {
    expect(readAddress('?StudyInstanceUIDs=1.2&SeriesInstanceUID=1.2.7').seriesUid).toBe('1.2.7')
  })

  it('names the share link that was opened, where it has the shape of its id [P25]', () => {
    const id = '0f0e0d0c-0000-4000-8000-00000000000a'
    expect(readAddress(`?share=${id}`).shareId).toBe(id)
    expect(readAddress(`?share=${id}/../..`).shareId).toBeUndefined()
  })

  it.each(['../../api', '1.2/../../x', '<img>', `1.${'9'.repeat(80)}`, ''])(
    'leaves out %j as a study [7.42, P16]',
    (uid) => {
      expect(readAddress(`?StudyInstanceUIDs=${encodeURIComponent(uid)}`).studyUids).toEqual([])
    },
  )

  it('leaves out what is not shaped like an id [7.42, P16]', () => {
    expect(
      readAddress('?sessionId=../x&datastore=<b>&ImageSetID=a%20b&SeriesInstanceUID=1.2/x&StudyInstanceUIDs=1.2'),
    ).toEqual({
      sessionId: undefined,
      datastore: undefined,
      imageSetId: undefined,
      studyUids: ['1.2'],
      seriesUid: undefined,
    })
  })

  it('drops the session id and keeps the rest [7.42, P23]', () => {
    const url = new URL('https://x.example/viewer/?sessionId=abc&StudyInstanceUIDs=1.2&SESSIONID=d#top')
    expect(withoutSession(url)).toBe('/viewer/?StudyInstanceUIDs=1.2#top')
  })

  it('leaves no question mark behind when nothing else was there [7.42]', () => {
    expect(withoutSession(new URL('https://x.example/viewer/?sessionId=abc'))).toBe('/viewer/')
  })
})
