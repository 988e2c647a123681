import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/**
 * Lucene's answers to the queries of the parity benchmark. Arguments: a work folder with
 *
 *   documents  one line each: tokens of the title, TAB, tokens of the text
 *   queries    one line each: words
 *
 * Tokens are separated by one space. Writes the file "answers": the version of Lucene, then a line per search with
 * configuration (fields-model-operator), number of the query, total, and "document:score" of the best ten, between
 * tabs.
 * A document is known by its line, from 0.
 */
public final class LuceneParity {
  private static final int BEST = 10;
  private static final float TITLE_BOOST = 2f;

  public static void main(String[] args) throws IOException {
    Path work = Path.of(args[0]);
    try (FSDirectory directory = FSDirectory.open(work.resolve("index"))) {
      index(directory, work.resolve("documents"));
      List<String> queries = Files.readAllLines(work.resolve("queries"));
      try (DirectoryReader reader = DirectoryReader.open(directory);
          BufferedWriter answers = Files.newBufferedWriter(work.resolve("answers"))) {
        requireOrder(reader);
        answers.write(Version.LATEST + "\n");
        for (boolean isBm25 : new boolean[] {true, false}) {
          IndexSearcher searcher = new IndexSearcher(reader);
          searcher.setSimilarity(isBm25 ? new BM25Similarity(1.2f, 0.75f) : new ClassicSimilarity());
          for (boolean isTwoFields : new boolean[] {false, true}) {
            for (BooleanClause.Occur occur : List.of(BooleanClause.Occur.MUST, BooleanClause.Occur.SHOULD)) {
              String name = (isTwoFields ? "two" : "one") + (isBm25 ? "-bm25" : "-tfidf")
                  + (occur == BooleanClause.Occur.MUST ? "-and" : "-or");
              answerAll(searcher, queries, name, isTwoFields, occur, answers);
            }
          }
        }
      }
    }
  }

  private static void index(FSDirectory directory, Path documents) throws IOException {
    // Both models keep the length of a field in the same byte, so one index serves both. This merge policy joins
    // neighbours only: document numbers stay in the order of the lines.
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer())
        .setMergePolicy(new LogDocMergePolicy())
        .setSimilarity(new BM25Similarity(1.2f, 0.75f));
    try (IndexWriter writer = new IndexWriter(directory, config);
        BufferedReader lines = Files.newBufferedReader(documents)) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int tab = line.indexOf('\t');
        String title = line.substring(0, tab);
        String text = line.substring(tab + 1);
        Document document = new Document();
        document.add(new TextField("title", title, Field.Store.NO));
        document.add(new TextField("text", text, Field.Store.NO));
        document.add(new TextField("all", title + " " + text, Field.Store.NO));
        document.add(new NumericDocValuesField("number", number++));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static void requireOrder(DirectoryReader reader) throws IOException {
    if (reader.leaves().size() != 1) throw new IllegalStateException("more than one segment after forceMerge(1)");
    NumericDocValues numbers = reader.leaves().get(0).reader().getNumericDocValues("number");
    for (int doc = numbers.nextDoc(); doc != NumericDocValues.NO_MORE_DOCS; doc = numbers.nextDoc()) {
      if (numbers.longValue() != doc) {
        throw new IllegalStateException("document numbers are not in the order of the lines");
      }
    }
  }

  private static void answerAll(IndexSearcher searcher, List<String> queries, String name, boolean isTwoFields,
      BooleanClause.Occur occur, BufferedWriter answers) throws IOException {
    for (int i = 0; i < queries.size(); i++) {
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      for (String word : queries.get(i).split(" ")) query.add(isTwoFields ? inEither(word) : in("all", word), occur);
      // This threshold makes the total exact.
      TopScoreDocCollector collector = TopScoreDocCollector.create(BEST, Integer.MAX_VALUE);
      searcher.search(query.build(), collector);
      TopDocs best = collector.topDocs();
      StringBuilder line = new StringBuilder(name).append('\t').append(i).append('\t').append(best.totalHits.value);
      for (ScoreDoc hit : best.scoreDocs) line.append('\t').append(hit.doc).append(':').append(hit.score);
      answers.write(line.append('\n').toString());
    }
  }

  private static Query inEither(String word) {
    return new BooleanQuery.Builder()
        .add(new BoostQuery(in("title", word), TITLE_BOOST), BooleanClause.Occur.SHOULD)
        .add(in("text", word), BooleanClause.Occur.SHOULD)
        .build();
  }

  private static Query in(String field, String word) {
    return new TermQuery(new Term(field, word));
  }
}
