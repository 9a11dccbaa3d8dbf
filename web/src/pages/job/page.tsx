export function JobPage({ id }: { id: number }) {
  return <h1>Job {id}</h1>;
}
