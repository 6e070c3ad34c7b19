import { basicProfile, findDeidentificationRule } from '@dmp/dicom/deidentification'
import { CannotDeidentify, deidentify, createReport } from './deidentify.ts'
import { readInstanceBytes } from './instance.ts'
import { datasetBytes, dicomFile, slice, text, u16 } from './testing/dicomFile.ts'
import { secret, hiddenName, clean, cleaned, hiddenText, withHiddenName, metaFor } from './deidentifyInTests.ts'

describe('what de-identification tells [P22]', () => {
  it('never calls pixels clean that nobody has looked at [P22, P36]', async () => {
    const { instance, report } = await clean(dicomFile({ elements: slice({ '00280301': text('CS', 'YES') }) }))
    expect(instance.header['00280301']?.Value).toEqual(['YES'])
    expect(JSON.stringify(instance.header['00120064'])).not.toContain('113101')
    expect([...report.counts.keys()].filter((line) => line.startsWith('pixel data'))).toEqual([])
    expect((await cleaned({}))['00280301']).toBeUndefined()
  })

  it('warns of faces where images show the head in slices [P22]', async () => {
    const warnings = async (modality: string, part: string) => [
      ...(
        await clean(dicomFile({ elements: slice({ '00080060': text('CS', modality), '00180015': text('CS', part) }) }))
      ).report.warnings,
    ]
    const face = ['A face can be reconstructed from images of the head.']
    for (const modality of ['CT', 'MR', 'PT'])
      expect([modality, await warnings(modality, 'BRAIN')]).toEqual([modality, face])
    expect([await warnings('CT', 'KNEE'), await warnings('DX', 'SKULL')]).toEqual([[], []])
  })

  it('refuses documents instead of guessing [P22]', async () => {
    const elements = slice({
      '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.104.1'),
      '00420011': { vr: 'OB', value: Buffer.from('%PDF-1.7') },
    })
    for (const tag of ['7FE00010', '00280010', '00280011', '00280100']) delete elements[tag]
    const instance = await readInstanceBytes(
      Buffer.concat([metaFor('1.2.840.10008.5.1.4.1.1.104.1'), datasetBytes(elements)]),
    )
    await expect(deidentify(instance, secret, createReport())).rejects.toThrow(CannotDeidentify)
  })

  it('refuses overlays in unused bits of the pixels, which nobody could look at [P22, P36]', async () => {
    const hidden = dicomFile({ elements: slice({ '60000100': u16(16), '60000102': u16(12) }) })
    await expect(clean(hidden)).rejects.toThrow('unused bits')
    const apart = { '60000100': u16(1), '60000102': u16(0), '60003000': { vr: 'OW', value: Buffer.alloc(2, 0xff) } }
    expect((await cleaned(apart))['60003000']).toBeUndefined()
  })

  it('reports what was removed by which rule, without values [P22]', async () => {
    const { report } = await clean(
      dicomFile({ elements: slice(withHiddenName({ '00081030': hiddenText('LO'), '00087777': hiddenText('LO') })) }),
    )
    const lines = [...report.counts.keys()]
    expect(lines).toContain('(0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')
    expect(lines).toContain('(0008,7777) unknown: removed because it is not in the DICOM dictionary')
    expect(lines).toContain('(0008,0020) StudyDate: emptied by PS3.15 E.1-1 Z')
    // Of UIDs, those that were replaced: what DICOM itself named is as it was.
    expect(
      lines
        .filter((line) => line.endsWith('E.1-1 U'))
        .map((line) => line.slice(0, 11))
        .sort(),
    ).toEqual(['(0008,0018)', '(0020,000D)', '(0020,000E)'])
    expect(lines.join()).not.toContain(hiddenName)
  })

  it('counts over all objects how often each rule was followed [P22]', async () => {
    const report = createReport()
    for (let object = 1; object <= 3; object += 1)
      await clean(
        dicomFile({
          elements: slice(
            withHiddenName({
              '00081030': hiddenText('LO'),
              '00091001': hiddenText('LO'),
              '00091002': hiddenText('LO'),
            }),
          ),
        }),
        report,
      )
    expect(report.counts.get('(0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')).toBe(3)
    expect(report.counts.get('private attributes: removed by PS3.15 E.1-1 X')).toBe(6)
  })

  it('knows the whole table of the standard [P22]', () => {
    expect(basicProfile.length).toBeGreaterThan(480)
    for (const tag of ['00100010', '00080080', '0040A730', '300A0002', '30060002', '00181030', '00102160', '60023000'])
      expect(findDeidentificationRule(tag)).toBeDefined()
    for (const tag of ['00280010', '00180050', '00200032', '00081150'])
      expect(findDeidentificationRule(tag)).toBeUndefined()
  })
})
