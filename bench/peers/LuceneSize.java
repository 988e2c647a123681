import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/**
 * How many bytes Lucene takes for the pages of the file "documents" in a work folder: a line each, url, title and text
 * between tabs. Prints its version, the bytes of an index with positions alone, and of one that stores the pages too,
 * both merged into one segment.
 */
public final class LuceneSize {
  public static void main(String[] args) throws IOException {
    Path work = Path.of(args[0]);
    System.out.println(Version.LATEST + "\t" + index(work, false) + "\t" + index(work, true));
  }

  private static long index(Path work, boolean isStored) throws IOException {
    Path folder = work.resolve(isStored ? "stored" : "plain");
    Field.Store store = isStored ? Field.Store.YES : Field.Store.NO;
    try (FSDirectory directory = FSDirectory.open(folder);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
        BufferedReader lines = Files.newBufferedReader(work.resolve("documents"))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split("\t", 3);
        Document document = new Document();
        document.add(new StringField("url", parts[0], Field.Store.YES));
        document.add(new TextField("title", parts[1], store));
        document.add(new TextField("text", parts[2], store));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      writer.commit();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
