/** The result of a create operation that updated an existing resource instead. Sent with status 200. */
export class Updated<Resource> {
  readonly resource: Resource
  constructor(resource: Resource) {
    this.resource = resource
  }
}

/** A file of any length, which is sent while it is made or read. */
export class StreamedFile {
  readonly mediaType: string
  /** How browsers store it. They never show it. */
  readonly fileName: string
  /** Called once. Nothing must be opened before the first chunk is asked for: a client may only want the headers. */
  readonly open: () => AsyncIterable<Uint8Array | string>
  /** If it is known. */
  readonly sizeBytes: number | undefined

  constructor(mediaType: string, fileName: string, open: () => AsyncIterable<Uint8Array | string>, sizeBytes?: number) {
    this.mediaType = mediaType
    this.fileName = fileName
    this.open = open
    this.sizeBytes = sizeBytes
  }
}

/** A response that is not JSON, made at once. */
export class FileResponse {
  readonly mediaType: string
  /** Changes with the content of the file. Sent as the ETag. */
  readonly version: string
  /** Called only if the caller does not have this version yet. */
  readonly make: () => Buffer | string | Promise<Buffer | string>
  /** The name under which browsers save it. */
  readonly fileName: string | undefined
  /** Sent with it, also if the caller has this version. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    mediaType: string,
    version: string,
    make: FileResponse['make'],
    { fileName, headers = {} }: { fileName?: string | undefined; headers?: Record<string, string> } = {},
  ) {
    this.mediaType = mediaType
    this.version = version
    this.make = make
    this.fileName = fileName
    this.headers = headers
  }
}
