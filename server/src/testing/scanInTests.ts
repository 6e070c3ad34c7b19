import { tag } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { dicomFile, slice, text, type Elements } from '../dicom/testing/dicomFile.ts'

/**
 * A CT slice whose every property has a value of its own, so that one in the place of another shows. Series and study
 * are those of its UID: `1.95.2.1.3` is the third of the first series of study `1.95.2`.
 */
export const aSlice = (sopInstanceUID: string, changes: Elements = {}): Buffer =>
  dicomFile({ elements: slice({ ...elementsOf(sopInstanceUID), ...changes }) })

/** A document of the same study, which a program made. */
export function aDocument(sopInstanceUID: string, title: string, bytes: Buffer): Buffer {
  const sopClassUID = '1.2.840.10008.5.1.4.1.1.104.1'
  return dicomFile({
    start: part10Start({ sopClassUID, sopInstanceUID, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    elements: {
      ...elementsOf(sopInstanceUID),
      [tag.SOPClassUID]: text('UI', sopClassUID),
      [tag.Modality]: text('CS', 'DOC'),
      [tag.SoftwareVersions]: text('LO', '2.1'),
      [tag.DocumentTitle]: text('ST', title),
      [tag.MIMETypeOfEncapsulatedDocument]: text('LO', 'application/pdf'),
      [tag.EncapsulatedDocument]: { vr: 'OB', value: bytes },
    },
  })
}

function elementsOf(sopInstanceUID: string): Elements {
  const [number = '', series = '', study = '', ...root] = sopInstanceUID.split('.').reverse()
  const studyUID = [...root.reverse(), study].join('.')
  return {
    [tag.SOPInstanceUID]: text('UI', sopInstanceUID),
    [tag.SeriesInstanceUID]: text('UI', `${studyUID}.${series}`),
    [tag.StudyInstanceUID]: text('UI', studyUID),
    [tag.InstanceNumber]: text('IS', number),
    [tag.SeriesNumber]: text('IS', `2${series}`),
    [tag.StudyDate]: text('DA', '20240506'),
    [tag.StudyTime]: text('TM', '101112'),
    [tag.SeriesDate]: text('DA', '20240507'),
    [tag.SeriesTime]: text('TM', '131415'),
    [tag.AcquisitionDate]: text('DA', '20240508'),
    [tag.AcquisitionTime]: text('TM', '161718'),
    [tag.AccessionNumber]: text('SH', `ACC-${study}`),
    [tag.StudyDescription]: text('LO', `Study ${study}`),
    [tag.SeriesDescription]: text('LO', `Series ${study}-${series}`),
    [tag.BodyPartExamined]: text('CS', 'KNEE'),
    [tag.Laterality]: text('CS', 'L'),
    [tag.InstitutionName]: text('LO', 'Old House'),
    [tag.ReferringPhysicianName]: text('PN', 'Refer^Rex'),
    [tag.RequestingPhysician]: text('PN', 'Quest^Quinn'),
    [tag.Manufacturer]: text('LO', 'Acme'),
    [tag.ManufacturerModelName]: text('LO', 'Ring 5'),
    [tag.DeviceSerialNumber]: text('LO', 'SN-77'),
    [tag.PatientName]: text('PN', 'Tester^Tilda'),
    [tag.PatientID]: text('LO', 'T-1'),
    [tag.PatientBirthDate]: text('DA', '19700203'),
    [tag.PatientSex]: text('CS', 'F'),
    [tag.PatientAge]: text('AS', '054Y'),
    [tag.PatientSize]: text('DS', '1.68'),
    [tag.PatientWeight]: text('DS', '61'),
    [tag.SliceThickness]: text('DS', '0.75'),
  }
}
